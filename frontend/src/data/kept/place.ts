/** What stopped nearer than this to its end was heard, and begins again (ms). The player and the gateway reckon alike. */
const END_MS = 3_000;

/** Where a recording goes on that was left there, in ms. */
export const goesOnAt = ({ positionMs, durationMs }: { positionMs: number; durationMs: number }): number =>
  positionMs > durationMs - END_MS ? 0 : positionMs;
