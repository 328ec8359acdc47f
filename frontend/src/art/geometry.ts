/** Numbers and lines that every scene is drawn with. A picture is the same for the same seed, on every machine. */

export type Point = [x: number, y: number];
/** A repeatable source of numbers from 0 to 1. */
export type Random = () => number;

/** FNV-1a with a murmur finish: neighbouring words give unlike numbers. */
export function hash(text: string): number {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ c.charCodeAt(0), 16777619);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** mulberry32: small, fast and good enough for drawing. */
export function random(seed: number): Random {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Smooth value noise from -1 to 1 over a line. */
export function noise(r: Random): (x: number) => number {
  const g = Array.from({ length: 64 }, () => r() * 2 - 1);
  const at = (i: number) => g[i & 63] ?? 0;
  return (x) => {
    const i = Math.floor(x);
    const f = x - i;
    const u = f * f * (3 - 2 * f);
    return at(i) * (1 - u) + at(i + 1) * u;
  };
}

/** A number as short as the eye allows: whole from 24 up, one decimal below, no leading zero. */
export const n = (v: number): string =>
  (Math.abs(v) >= 24 ? Math.round(v) : Math.round(v * 10) / 10).toString().replace(/^(-?)0\./, "$1.");

/** A pair of numbers; a minus sign is its own separator. */
export function xy(x: number, y: number): string {
  const b = n(y);
  return n(x) + (b.startsWith("-") ? b : ` ${b}`);
}

export const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${xy(x - rx, y)}a${xy(rx, ry)} 0 1 0 ${n(rx * 2)} 0a${xy(rx, ry)} 0 1 0 ${n(-rx * 2)} 0`;

const between = (a: Point, b: Point): string => xy((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);

/** A smooth line through points, as quadratic halves. */
export function smooth(points: Point[]): string {
  const at = (i: number) => points[i] as Point;
  const end = points.length - 1;
  let d = `M${xy(...at(0))}`;
  for (let i = 1; i < end; i++) d += `Q${xy(...at(i))} ${between(at(i), at(i + 1))}`;
  return `${d}L${xy(...at(end))}`;
}

/** A smooth closed shape around points. */
export function closed(points: Point[]): string {
  const k = points.length;
  const at = (i: number) => points[i % k] as Point;
  let d = `M${between(at(0), at(1))}`;
  for (let i = 1; i <= k; i++) d += `Q${xy(...at(i))} ${between(at(i), at(i + 1))}`;
  return `${d}Z`;
}
