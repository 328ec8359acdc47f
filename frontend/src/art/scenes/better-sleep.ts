import type { Canvas } from "../canvas";

/** Moon over a dark lake. */
export function betterSleep(c: Canvas): string {
  const { w, h, u, R } = c,
    hz = h * R(0.62, 0.67),
    x = w * (c.flip ? R(0.24, 0.46) : R(0.54, 0.76)),
    q = R(24, 42) * u,
    y = h * R(0.18, 0.34),
    thin = [0, 0, 1.25, 1.6][Math.floor(R(0, 4))] ?? 0;
  let s =
    c.base(c.water) +
    c.sky(0.66) +
    c.stars(44, 0.5) +
    c.rings(x, y, q, 3, 0.22, 0.62) +
    c.moon(x, y, q, thin);
  s +=
    c.misty(c.ridge(hz - 44 * u, 34 * u, 2.6, 1), c.far, c.sky1, hz) +
    c.misty(c.ridge(hz - 14 * u, 22 * u, 3.4), c.mid, c.far, hz);
  s +=
    c.band(hz, h - hz, [
      [0, c.sky1, 0.9],
      [0.25, c.water],
      [1, c.near],
    ]) +
    c.band(hz, 26 * u, [
      [0, c.mid, 0.75],
      [1, c.mid, 0],
    ]);
  s += c.dashes(hz + 6 * u, h * 0.97, 44, c.light, 0.78, x, 58) + c.dashes(hz, h, 26, c.sky0, 0.5);
  return s + c.reeds(c.flip ? w * 0.9 : w * 0.1, h + 8, 17, 150 * u, c.near, 120 * u);
}
