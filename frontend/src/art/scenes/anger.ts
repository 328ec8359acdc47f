import { xy } from "../geometry";
import { C, O, S } from "../marks";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** The storm lifts: a bank of cloud, slant rain, and a line of fire along the sea. */
export function anger(c: Canvas): string {
  const { w, h, u, R } = c,
    hz = h * R(0.6, 0.74),
    sx = w * (c.flip ? R(0.24, 0.42) : R(0.58, 0.76)),
    q = R(22, 46) * u;
  let s =
    c.base(c.sky1) +
    c.band(0, hz, [
      [0, c.sky0],
      [0.55, c.far],
      [1, c.sky1],
    ]) +
    C(sx, hz, q * 4.6, c.glow(c.light, 0.85)) +
    C(sx, hz, q, c.light);
  for (let i = 0; i < 4; i++) {
    const y = h * (0.42 - i * 0.1) + R(-8, 8) * u;
    s += c.land(
      c
        .ridge(y, 22 * u, 2.2 + i * 0.5)
        .map(([x, v]): Point => [x, 2 * y - v + (x - w / 2) * (c.flip ? 0.06 : -0.06)])
        .concat([[w * 1.2, -20]]),
      c.grad([
        [0, c.sky0, 0.95],
        [1, i % 2 ? c.far : c.mid, 0.55],
      ]),
      -20,
    );
  }
  let d = "";
  const lean = c.flip ? -1 : 1;
  for (let i = 0; i < 26; i++) {
    const x = R(-0.1, 0.6) * w,
      y = R(0.2, 0.5) * h,
      l = R(40, 120) * u;
    d += `M${xy(c.flip ? w - x : x, y)}l${xy(lean * l * 0.22, l)}`;
  }
  s += S(d, c.light, 0.8 * u, O(0.34));
  s +=
    c.band(hz, h - hz, [
      [0, c.water],
      [1, c.near],
    ]) + c.dashes(hz + 3, h, 13, c.light, 0.75, sx, 46);
  for (let i = 0; i < 4; i++)
    s += c.land(
      c.ridge(hz + (h - hz) * (0.22 + i * 0.21), 7 * u * (1 + i * 0.5), 5 - i),
      c.grad([
        [0, c.near, 0.3 + i * 0.12],
        [1, c.near, 0.75],
      ]),
    );
  return s;
}
