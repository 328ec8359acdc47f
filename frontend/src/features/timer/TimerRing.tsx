import { useCallback } from "react";
import { timer as copy } from "@/copy/timer";
import { formatClock } from "@/lib/format";
import { Ring } from "@/ui/Ring";
import type { Plan } from "./plan";
import css from "./Running.module.css";
import type { TimerSettings } from "./settings";
import type { Sitting } from "./sitting";
import { useAt } from "./use-sitting";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The seconds of `ms` that have not quite passed: it begins with all of them, and is 0 at the end alone. */
const upTo = (ms: number): number => Math.ceil(Math.max(0, ms) / SECOND_MS) * SECOND_MS;

/** What stands in the ring at a moment. */
function shownAt({ beginsMs, endsMs }: Plan, { openEnded }: TimerSettings, ms: number) {
  if (ms < beginsMs) return { clock: formatClock(upTo(beginsMs - ms)), under: copy.settling };
  if (openEnded)
    return { clock: formatClock(ms - beginsMs), under: copy.sat(Math.floor((ms - beginsMs) / MINUTE_MS)) };
  return {
    clock: formatClock(upTo(endsMs - ms)),
    under: copy.leftInMinutes(Math.ceil((endsMs - ms) / MINUTE_MS)),
  };
}

interface TimerRingProps {
  sitting: Sitting;
  plan: Plan;
  settings: TimerSettings;
  paused: boolean;
}

/** How much time is left, as a ring that fills and in figures; a screen reader finds it in minutes, and is not interrupted by it. */
export function TimerRing({ sitting, plan, settings, paused }: TimerRingProps) {
  const second = useAt(
    sitting,
    useCallback((ms: number) => Math.floor(ms / 250) * 250, []),
  );
  const { clock, under } = shownAt(plan, settings, second);
  const share = (second - plan.beginsMs) / (plan.endsMs - plan.beginsMs);
  return (
    <div className={css.stage}>
      <Ring size={240} share={settings.openEnded ? 0 : share} track={2} arc={5} className={css.ring} />
      <div className={css.inside} role="timer" aria-live="off" aria-label={copy.leftName}>
        <b aria-hidden="true">{clock}</b>
        <span>{paused ? copy.paused : under}</span>
      </div>
    </div>
  );
}
