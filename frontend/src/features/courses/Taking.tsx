import { useState } from "react";
import { courses as copy } from "@/copy/courses";
import type { CourseCard } from "@/gen/serein/web/v1/courses_pb";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { Menu } from "@/ui/Menu";
import type { CourseActs } from "./useCourse";

type Asked = "over" | "leave";

interface TakingProps {
  card: CourseCard;
  taking: CourseActs;
  /** Their plan has courses. */
  mayTake: boolean;
}

/** How a member begins a course, begins it over, and leaves it. Both of the last forget something, so they ask first. */
export function Taking({ card, taking, mayTake }: TakingProps) {
  const [asked, ask] = useState<Asked | null>(null);
  const close = () => (taking.pending ? undefined : ask(null));
  const go = async () => {
    await (asked === "over" ? taking.start(true) : taking.leave());
    ask(null);
  };
  if (!card.taken)
    return mayTake ? (
      <>
        <Button look="primary" pending={taking.pending} onClick={() => void taking.start()}>
          {copy.start}
        </Button>
        <p className="small muted">{copy.startText}</p>
      </>
    ) : null;
  const words = asked && copy[asked];
  return (
    <>
      <Menu
        label={copy.more}
        items={[
          ...(mayTake ? [{ name: copy.over.name, run: () => ask("over") }] : []),
          { name: copy.leave.name, run: () => ask("leave") },
        ]}
      />
      {words ? (
        <Dialog title={words.title} onClose={close}>
          <p>{words.text}</p>
          <DialogActions>
            <Button look="quiet" onClick={close}>
              {words.keep}
            </Button>
            <Button look="primary" pending={taking.pending} onClick={() => void go()}>
              {words.name}
            </Button>
          </DialogActions>
        </Dialog>
      ) : null}
    </>
  );
}
