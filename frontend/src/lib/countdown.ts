import { formatUnit } from "./format";

/** What is left of a span of time, cut into whole units. */
export interface Left {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
  /** True when nothing is left. */
  over: boolean;
  /** True in the last hour, when the countdown turns brass. */
  soon: boolean;
}

/** Time left until `endsAt`, both in ms since 1970. Never negative. */
export function timeLeft(endsAt: number, nowMs: number): Left {
  const all = Math.max(0, Math.ceil((endsAt - nowMs) / 1000));
  return {
    days: Math.floor(all / 86400),
    hours: Math.floor((all % 86400) / 3600),
    minutes: Math.floor((all % 3600) / 60),
    seconds: all % 60,
    over: all === 0,
    soon: all > 0 && all <= 3600,
  };
}

/** One sentence, changed once a minute, for those who do not see the cells. */
export const sayLeft = (left: Left): string => {
  const parts = [
    left.days ? formatUnit(left.days, "day") : "",
    left.hours ? formatUnit(left.hours, "hour") : "",
    formatUnit(left.minutes, "minute"),
  ];
  return `${parts.filter(Boolean).join(" ")} left`;
};
