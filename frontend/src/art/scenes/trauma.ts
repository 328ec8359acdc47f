import { noise, smooth, xy } from "../geometry";
import { C, O, P, S } from "../marks";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** A river carries first light through a dark valley. */
export function trauma(c: Canvas): string {
  const { w, h, u, R } = c,
    hz = h * R(0.36, 0.5),
    x = w * R(0.36, 0.64),
    ph = R(0, 6.28),
    amp = w * R(0.1, 0.22);
  let s =
    c.base(c.mid) +
    c.sky(0.48) +
    C(x, hz, 200 * u, c.glow(c.light, 0.9)) +
    c.misty(c.ridge(hz - 30 * u, 40 * u, 2.6, 1), c.far, c.sky1, hz + 30 * u) +
    c.misty(c.ridge(hz, 26 * u, 3, 1), c.mid, c.far, hz + 60 * u);
  s += c.band(hz + 24 * u, h, [
    [0, c.far],
    [0.5, c.mid],
    [1, c.near],
  ]);
  const L: Point[] = [],
    Q: Point[] = [];
  for (let i = 0; i <= 17; i++) {
    const t = i / 17,
      yy = hz + 20 * u + (h - hz) * Math.pow(t, 1.55) * 1.02,
      cx = x + Math.sin(ph + t * 8.2) * amp * Math.pow(t, 0.9) * (1 - t * 0.25),
      hw = (1.5 + 52 * Math.pow(t, 2)) * u * (1 + 0.35 * Math.cos(ph + t * 8.2));
    L.push([cx - hw, yy]);
    Q.push([cx + hw * 1.2, yy]);
  }
  const g = c.grad([
    [0, c.light],
    [0.55, c.light],
    [1, c.sky1],
  ]);
  s +=
    P(smooth(L) + smooth(Q.toReversed()).replace("M", "L") + "Z", g) +
    S(smooth(L.slice(4)), c.near, 2.4 * u, O(0.5));
  for (let i = 0; i < 5; i++) {
    const t = 0.16 + i * 0.17,
      yy = hz + 24 * u + (h - hz) * Math.pow(t, 1.45),
      left = (i + (ph > 3.14 ? 1 : 0)) % 2,
      cx = x + Math.sin(ph + t * 8.2) * amp * t,
      reach = left ? cx - (10 + 46 * t) * u : cx + (12 + 52 * t) * u,
      p: Point[] = [],
      f = noise(c.r),
      a = (26 + 54 * t) * u;
    for (let k = 0; k <= 7; k++) {
      const q = k / 7;
      p.push([
        left ? -12 + (reach + 12) * q : w + 12 - (w + 12 - reach) * q,
        yy - a * (1 - Math.pow(q, 1.7)) + f(q * 4) * 5 * u,
      ]);
    }
    const d =
      smooth(p) +
      `Q${xy(left ? reach * 0.6 : w - (w - reach) * 0.6, yy + 14 * u)} ${xy(left ? -12 : w + 12, yy + 24 * u)}Z`;
    s +=
      P(
        d,
        c.grad([
          [0, i < 2 ? c.mid : c.near],
          [1, i < 2 ? c.far : c.mid, 0.4],
        ]),
      ) + S(smooth(p), c.light, 0.9 * u, O(0.35 - i * 0.04));
  }
  return s + c.birds(x + 30 * u, hz * 0.5, 2, c.near);
}
