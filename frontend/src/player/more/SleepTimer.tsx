import { useId } from "react";
import { player as copy } from "@/copy/player";
import { fades } from "@/copy/sleep-timer";
import { useSecond } from "@/lib/clock";
import { Chip } from "@/ui/Choice";
import type { SleepChoice } from "../engine/sleep";
import { usePlayer, usePlayerState } from "../hooks";
import css from "./SleepTimer.module.css";

const words = copy.more;
const CHOICES: readonly SleepChoice[] = ["off", "end", 10, 20, 30, 45, 60];

const nameOf = (choice: SleepChoice): string =>
  typeof choice === "number" ? words.minutes(choice) : words[choice];

/** What the timer will do, and when. */
function Says() {
  const { engine } = usePlayer();
  // Looked at each second: while nothing sounds the engine says nothing new.
  useSecond();
  const choice = usePlayerState((now) => now.sleep);
  const what = usePlayerState((now) => (now.canSetVoice ? "all" : now.loop ? "ambience" : "none"));
  const left = engine.sleepLeft();
  if (choice === "end") return fades.end;
  if (choice === "off" || left === null) return "";
  return fades[what](Math.max(0, Math.round(left / 60_000)));
}

interface SleepTimerProps {
  as?: "h2" | "h3";
  /** Of the heading. */
  className?: string | undefined;
}

/** After how long the sound goes by itself, whatever page is open by then. */
export function SleepTimer({ as: H = "h2", className }: SleepTimerProps) {
  const { engine } = usePlayer();
  const chosen = usePlayerState((now) => now.sleep);
  const name = useId();
  return (
    <fieldset className={css.timer}>
      <legend className="sr">{words.sleepLabel}</legend>
      <H className={className}>{words.sleep}</H>
      <div className={css.choices}>
        {CHOICES.map((choice) => (
          <Chip
            key={choice}
            type="radio"
            name={name}
            checked={choice === chosen}
            onChange={() => engine.setSleep(choice)}
          >
            {nameOf(choice)}
          </Chip>
        ))}
      </div>
      <p className={css.says}>
        <Says />
      </p>
    </fieldset>
  );
}
