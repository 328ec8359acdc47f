import { useCallback, useEffect, useMemo, useRef } from "react";
import { timer as copy } from "@/copy/timer";
import { useStill } from "@/lib/motion";
import type { Breath, Moment } from "./breath";
import { breathing, momentOf } from "./breath";
import type { Plan } from "./plan";
import css from "./Running.module.css";
import type { BreathSettings } from "./settings";
import type { Sitting } from "./sitting";
import { useAt } from "./use-sitting";

/** Grows and shrinks the circle with the breath, by the sitting's own time at each frame. */
function useFullness(sitting: Sitting, breath: Breath, beginsMs: number) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const ms = sitting.position() - beginsMs;
      const fullness = ms < 0 ? 0 : momentOf(breath, ms).fullness;
      ref.current?.style.setProperty("--full", fullness.toFixed(3));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [sitting, breath, beginsMs]);
  return ref;
}

/** "in 3 7": the part, the seconds it still takes, and which breath it is; "" while one settles. */
const wordOf = ({ part, leftMs, cycle }: Moment): string =>
  `${part} ${Math.ceil(leftMs / 1000)} ${cycle + 1}`;

interface BreathCircleProps {
  sitting: Sitting;
  plan: Plan;
  settings: BreathSettings;
  paused: boolean;
}

/**
 * The breath as a circle that grows and shrinks, with the part's name and its seconds inside. For those who asked for less motion it holds still, and each part has a
 * shape: full, full with a rim, empty, empty with a broken rim.
 */
export function BreathCircle({ sitting, plan, settings, paused }: BreathCircleProps) {
  const breath = useMemo(() => breathing(settings), [settings]);
  const { beginsMs } = plan;
  const { cycles } = breath;
  const circle = useFullness(sitting, breath, beginsMs);
  const still = useStill();
  const pick = useCallback(
    (ms: number) => (ms < beginsMs ? "" : wordOf(momentOf(breath, ms - beginsMs))),
    [breath, beginsMs],
  );
  const [part = "", seconds = "", round = "1"] = useAt(sitting, pick).split(" ");
  const name = part in copy.parts ? copy.parts[part as keyof typeof copy.parts] : copy.settling;
  return (
    <div className={css.stage} data-part={part} data-still={still ? "" : undefined}>
      <div className={css.breath} ref={circle} aria-hidden="true" />
      <div className={css.inside}>
        <b className={css.word} aria-hidden="true">
          {paused ? copy.paused : name}
        </b>
        <span aria-hidden="true">{seconds}</span>
      </div>
      <p className={css.round}>{copy.round(Number(round), cycles)}</p>
    </div>
  );
}
