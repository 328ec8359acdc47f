import { Suspense, useState } from "react";
import { members } from "@/copy/members";
import { preloadable } from "@/lib/preloadable";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import css from "./GodControls.module.css";

const GodDialog = preloadable(() => import("./GodDialog"));

const words = members.god;

export type Act = "reset" | "end";

/** Two acts of an admin on their own plan, where the configuration has them. */
export function GodControls({ onDone }: { onDone: (text: string) => void }) {
  const [act, begin] = useState<Act | null>(null);
  return (
    <Panel title={words.title}>
      <p className={css.text}>{words.text}</p>
      <div className={css.actions}>
        <Button small aria-haspopup="dialog" onClick={() => begin("reset")}>
          {words.reset}
        </Button>
        <Button small look="danger" aria-haspopup="dialog" onClick={() => begin("end")}>
          {words.end}
        </Button>
      </div>
      {act ? (
        <Suspense>
          <GodDialog act={act} onClose={() => begin(null)} onDone={onDone} />
        </Suspense>
      ) : null}
    </Panel>
  );
}
