import { useSecond } from "@/lib/clock";
import { formatUnit } from "@/lib/format";
import { classes } from "./classes";
import css from "./Countdown.module.css";

const DAY_MS = 86_400_000;

/** Whole days until `endsAt`, one that has begun counted: for what is weeks away. Nothing where it is past. */
export function DaysLeft({ endsAt }: { endsAt: number }) {
  const days = Math.ceil((endsAt - useSecond() * 1000) / DAY_MS);
  if (days <= 0) return null;
  return (
    <div
      className={classes(css.countdown, css.large)}
      role="timer"
      aria-live="off"
      aria-label={`${formatUnit(days, "day")} left`}
    >
      <div aria-hidden="true">
        <b>{days}</b>
        <span>{days === 1 ? "day left" : "days left"}</span>
      </div>
    </div>
  );
}
