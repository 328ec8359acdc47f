import { useEffect, useRef, useState } from "react";
import { studio as copy } from "@/copy/studio";
import { useWrite } from "@/data/mutation";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { ErrorNote } from "@/ui/States";
import css from "./FirstPassage.module.css";
import type { Answers, Kind } from "./model";
import { PlainPlayer, type PlainSound } from "@/player/PlainPlayer";
import { PREVIEW } from "./writes";

/** What the beginning depends on; another text or voice makes what was heard stale. An article's begins with its title. */
const spoken = (kind: Kind, { title, script, type, immersive, narratorId }: Answers) => ({
  script,
  type,
  immersive,
  narratorId,
  article: kind === "article",
  title: kind === "article" ? title : "",
});

interface Heard {
  url: string;
  name: string;
  of: string;
}

/** The narration's first passage, to be heard before anything is made. */
export function FirstPassage({ kind, answers }: { kind: Kind; answers: Answers }) {
  const { send, pending, trouble } = useWrite(PREVIEW);
  const [heard, set] = useState<Heard | null>(null);
  const player = useRef<PlainSound>(null);
  useEffect(() => (heard ? () => URL.revokeObjectURL(heard.url) : undefined), [heard]);
  const off = answers.script.trim() === "" || answers.type === "";
  const ask = async () => {
    // The press is the only moment a browser lets us unlock the sound that comes later.
    player.current?.unlock();
    const request = spoken(kind, answers);
    const { answer } = await send(request);
    if (!answer) return;
    const url = URL.createObjectURL(new Blob([Uint8Array.from(answer.mp3)], { type: "audio/mpeg" }));
    set({ url, name: answer.narratorName, of: JSON.stringify(request) });
  };
  const stale = heard && heard.of !== JSON.stringify(spoken(kind, answers));
  return (
    <div className={css.part}>
      <Button
        small
        pending={pending}
        unavailable={off}
        onClick={() => void ask()}
        aria-describedby="first-passage"
      >
        <Icon name="play" />
        {pending ? copy.preview.asking : copy.preview.hear}
      </Button>
      <p className="caption quiet" id="first-passage" role="status">
        {off ? copy.preview.needs[kind] : ""}
        {heard && !off ? copy.preview.heard(heard.name) : ""} {stale && !off ? copy.preview.stale : ""}
      </p>
      {trouble ? <ErrorNote message={trouble.message} /> : null}
      <PlainPlayer ref={player} src={heard?.url} label={heard ? copy.preview.heard(heard.name) : ""} play />
    </div>
  );
}
