import { useEffect, useRef } from "react";
import { player as copy } from "@/copy/player";
import { classes } from "@/ui/classes";
import css from "./Transcript.module.css";
import { usePlayer, usePlayerState } from "./hooks";
import type { ScriptItem } from "./recording";
import { currentLine, quietRings, quietText } from "./recording";

/** A reader who scrolls is left alone this long. */
const READING_MS = 6_000;

/** Keeps the line being spoken in the middle, unless someone reads on their own. */
function useFollow(current: number) {
  const ref = useRef<HTMLElement>(null);
  const readAt = useRef(-READING_MS);
  useEffect(() => {
    const box = ref.current;
    const line = box?.children[current];
    if (!box || !(line instanceof HTMLElement) || performance.now() - readAt.current < READING_MS) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const top = line.offsetTop - (box.clientHeight - line.offsetHeight) / 2;
    box.scrollTo({ top, behavior: still ? "auto" : "smooth" });
  }, [current]);
  const reading = () => {
    readAt.current = performance.now();
  };
  return { ref, onWheel: reading, onTouchMove: reading, onKeyDown: reading };
}

function Quiet({ lengthMs }: { lengthMs: number }) {
  return (
    <p className={css.quiet}>
      {Array.from({ length: quietRings(lengthMs) }, (_, i) => (
        <i key={i} />
      ))}
      <span>{quietText(lengthMs)}</span>
    </p>
  );
}

interface TranscriptProps {
  script: readonly ScriptItem[];
  className?: string | undefined;
}

/** What is said, line by line. A press on a line goes there. */
export function Transcript({ script, className }: TranscriptProps) {
  const { engine } = usePlayer();
  const current = usePlayerState((now) => currentLine(script, now.positionMs));
  const follow = useFollow(current);
  return (
    // A scrolling region takes the focus, so that keys can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes(css.script, className)} aria-label={copy.transcript} tabIndex={0} {...follow}>
      {script.map((item, i) =>
        item.kind === "quiet" ? (
          <Quiet key={item.startMs} lengthMs={item.lengthMs} />
        ) : (
          <p key={item.startMs} aria-current={i === current ? "true" : undefined}>
            {/* The ring takes the keyboard to any place; sixty stops in the tab order would help nobody. */}
            <button type="button" tabIndex={-1} onClick={() => engine.seek(item.startMs)}>
              {item.text}
            </button>
          </p>
        ),
      )}
    </section>
  );
}
