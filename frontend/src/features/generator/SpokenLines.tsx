import { generator as copy } from "@/copy/generator";
import { usePlayerState } from "@/player/hooks";
import type { ScriptItem } from "@/player/recording";
import { currentLine } from "@/player/recording";
import css from "./SpokenLines.module.css";

/** The line being spoken between the one before and the one to come. */
export function SpokenLines({ script, active }: { script: readonly ScriptItem[]; active: boolean }) {
  const at = usePlayerState((now) => (active ? currentLine(script, now.positionMs) : -1));
  const lines = script.flatMap((item, i) => (item.kind === "line" ? [{ text: item.text, i }] : []));
  const now = lines.findIndex((line) => line.i === at);
  const first = Math.max(0, now - 1);
  const shown = lines.slice(first, now < 0 ? 2 : now + 2);
  return (
    <div className={css.lines}>
      {shown.map((line) => (
        <p key={line.i} className={line.i === at ? undefined : css.quiet}>
          {line.text}
        </p>
      ))}
      {shown.length === 0 ? <p className={css.quiet}>{copy.making.first}</p> : null}
    </div>
  );
}
