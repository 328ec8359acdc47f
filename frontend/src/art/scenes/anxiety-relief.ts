import { n, xy } from "../geometry";
import { C, O, P, S } from "../marks";
import type { Canvas } from "../canvas";

/** Rings spreading on still water, seen from above, a willow branch over it. */
export function anxietyRelief(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * (c.flip ? R(0.46, 0.7) : R(0.3, 0.54)),
    y = h * R(0.44, 0.66),
    m = Math.max(w, h);
  const g0 = R(9, 15);
  let s =
    c.base(
      c.grad(
        [
          [0, c.sky0],
          [0.5, c.water],
          [1, c.sky1],
        ],
        c.flip ? 0.4 : -0.4,
        1,
      ),
    ) + C(x, y, m * 0.55, c.glow(c.light, 0.55));
  for (let i = 9; i > 0; i--) {
    const q = g0 * u * Math.pow(i, 1.42);
    s +=
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(q)}" fill="none" stroke="${c.mid}" stroke-width="${n((1.9 - i * 0.13) * u)}"${O(0.7 - i * 0.062)}/>` +
      `<circle cx="${n(x)}" cy="${n(y + 2.4 * u)}" r="${n(q - 1.5 * u)}" fill="none" stroke="${c.light}" stroke-width="${n((2.6 - i * 0.15) * u)}"${O(0.8 - i * 0.07)}/>`;
  }
  s += C(x, y, 3.4 * u, c.near);
  for (let i = 0; i < 3; i++) {
    const q = 9 * u * Math.pow(i + 1, 1.2);
    s += `<circle cx="${n(c.flip ? w * 0.2 : w * 0.82)}" cy="${n(h * 0.84)}" r="${n(q)}" fill="none" stroke="${c.mid}" stroke-width="${n(1.1 * u)}"${O(0.42 - i * 0.11)}/>`;
  }
  /* willow: hanging stems with leaves either side. */
  let st = "",
    lf = "";
  const side = c.flip ? -1 : 1,
    ox = c.flip ? 0 : w;
  for (let i = 0; i < 6; i++) {
    const bx = ox - side * (i * 27 + R(-6, 8)) * u,
      len = (230 - i * 32 + R(-20, 20)) * u,
      bend = -side * R(8, 26) * u;
    st += `M${xy(bx, -6)}q${xy(0, len * 0.6)} ${xy(bend, len)}`;
    for (let k = 2; k < 9; k++) {
      const t = k / 9,
        px = bx + bend * t * t,
        py = len * t * (1.2 - 0.2 * t) - 6,
        L = (19 - k) * u,
        d = k % 2 ? 1 : -1;
      lf += `M${xy(px, py)}q${xy(d * L * 0.55, L * 0.2)} ${xy(d * L * 0.5, L)}q${xy(-d * L * 0.42, -L * 0.4)} ${xy(-d * L * 0.5, -L)}`;
    }
  }
  return s + S(st, c.near, 1.1 * u, O(0.85)) + P(lf, c.near, O(0.88));
}
