/** Share of the circle at a point, clockwise from 12 o'clock: 0 to 1. `x` and `y` from the centre, y down. */
export function angleShare(x: number, y: number): number {
  const turn = Math.atan2(x, -y) / (2 * Math.PI);
  return turn < 0 ? turn + 1 : turn;
}

/** The next share of a drag. Crossing 12 o'clock does not wrap: the head rests at the start or the end. */
export function dragTo(from: number, to: number): number {
  if (to - from > 0.5) return 0;
  if (from - to > 0.5) return 1;
  return to;
}

/** True on the ring itself, within half of the 48 px hit area; the middle is for reading. */
export function onRing(x: number, y: number, radius: number): boolean {
  return Math.abs(Math.hypot(x, y) - radius) <= 24;
}

/** Where a silence's dot stands on a 400 px drawing, and whether it has passed. */
export function dotAt(share: number): { cx: number; cy: number } {
  const turn = share * 2 * Math.PI;
  return { cx: 200 + 190 * Math.sin(turn), cy: 200 - 190 * Math.cos(turn) };
}

/** Arrow keys move 5 s, page keys 15 s, Home and End to the ends; null for any other key. Milliseconds. */
export function keySeek(key: string, positionMs: number, endMs: number): number | null {
  const by: Record<string, number> = {
    ArrowRight: 5_000,
    ArrowUp: 5_000,
    ArrowLeft: -5_000,
    ArrowDown: -5_000,
    PageUp: 15_000,
    PageDown: -15_000,
    Home: -positionMs,
    End: endMs - positionMs,
  };
  const step = by[key];
  return step === undefined ? null : Math.min(Math.max(0, positionMs + step), endMs);
}
