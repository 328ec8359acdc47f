import { useSecond } from "@/lib/clock";
import { sayLeft, timeLeft } from "@/lib/countdown";
import { classes } from "./classes";
import css from "./Countdown.module.css";

const two = (v: number) => String(v).padStart(2, "0");

/** Days, hours, minutes and seconds until `endsAt` (ms since 1970, server time). Shows `over` when it is past. */
export function Countdown({ endsAt, over, large }: { endsAt: number; over: string; large?: boolean }) {
  const left = timeLeft(endsAt, useSecond() * 1000);
  if (left.over) return <p className="small">{over}</p>;
  const cells = [
    [String(left.days), "days"],
    [two(left.hours), "hours"],
    [two(left.minutes), "minutes"],
    [two(left.seconds), "seconds"],
  ] as const;
  return (
    <div
      className={classes(css.countdown, large && css.large, left.soon && css.soon)}
      role="timer"
      aria-live="off"
      aria-label={sayLeft(left)}
    >
      {cells.map(([value, name]) => (
        <div key={name} aria-hidden="true">
          <b>{value}</b>
          <span>{name}</span>
        </div>
      ))}
    </div>
  );
}
