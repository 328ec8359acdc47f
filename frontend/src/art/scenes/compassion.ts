import { noise } from "../geometry";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** Two hills hold the sun as hands hold water. */
export function compassion(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * R(0.4, 0.62),
    y = h * R(0.32, 0.46),
    q = R(34, 60) * u;
  let s = c.base(c.sky1) + c.sky(0.8) + c.rings(x, y, q, 5, 0.75, 0.36) + c.disc(x, y, q, 0.7);
  s += c.misty(c.ridge(h * 0.6, 30 * u, 2.2), c.far, c.sky1, h * 0.86);
  const spur = (
    left: 0 | 1,
    y0: number,
    y1: number,
    reach: number,
    bump: number,
    top: string,
    low: string,
  ) => {
    const p: Point[] = [],
      f = noise(c.r);
    for (let i = 0; i <= 12; i++) {
      const t = i / 12,
        e = Math.sin(t * 1.571),
        v = y0 + (y1 - y0) * (1 - Math.pow(1 - e, 1.25)) * t + (1 - t) * t * bump + f(t * 5) * 9 * u;
      p.push([left ? -12 + reach * w * t : w + 12 - reach * w * t, v]);
    }
    return (
      c.land(
        p,
        c.grad([
          [0, top],
          [1, low],
        ]),
      ) + c.edge(p, c.light, 0.35)
    );
  };
  s +=
    spur(1, h * 0.42, h * 0.66, 0.66, -34 * u, c.far, c.sky1) +
    spur(0, h * 0.38, h * 0.7, 0.7, -30 * u, c.mid, c.far) +
    spur(1, h * 0.52, h * 0.94, 0.9, -46 * u, c.near, c.mid) +
    spur(0, h * 0.6, h * 1.08, 0.92, -40 * u, c.dark ? c.near : "#3a655f", c.near);
  s += c.band(h * 0.8, h * 0.2, [
    [0, c.sky1, 0],
    [1, c.sky1, 0.34],
  ]);
  return s + c.birds(x - 60 * u, h * 0.25, 3, c.near);
}
