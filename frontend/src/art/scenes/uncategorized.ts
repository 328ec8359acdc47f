import { n, xy } from "../geometry";
import { O, P, S } from "../marks";
import type { Canvas } from "../canvas";

/** Dunes under an open sky. */
export function uncategorized(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * (c.flip ? R(0.24, 0.34) : R(0.66, 0.78)),
    y = h * R(0.14, 0.34),
    q = R(18, 44) * u,
    m = c.flip ? -1 : 1;
  let s =
    c.base(c.sky1) +
    c.sky(0.7) +
    (c.dark ? c.stars(30, 0.42) : "") +
    c.rings(x, y, q, 3, 0.7, 0.55) +
    c.disc(x, y, q, 0.5);
  s += c.misty(c.ridge(h * 0.5, 16 * u, 2), c.far, c.sky1, h);
  const dunes: [at: number, tall: number, lit: string, dim: string][] = [
    [0.6, 46, c.far, c.mid],
    [0.74, 60, c.water, c.mid],
    [0.93, 66, c.mid, c.near],
  ];
  dunes.forEach(([t, a, lit, dim], i) => {
    const px = w * (0.5 + m * (i % 2 ? -0.22 : 0.2) + R(-0.06, 0.06)),
      top = h * t - a * u,
      sw = R(0.1, 0.2) * w * m;
    const crest = `M-20 ${n(h * t + R(10, 30) * u)}C${xy(px * 0.5, h * t + 20 * u)} ${xy(px - 50 * u, top)} ${xy(px, top)}S${xy(px + (w - px) * 0.6, h * t + 10 * u)} ${xy(w + 20, h * t + R(0, 30) * u)}V${n(h + 9)}H-20Z`;
    s += P(
      crest,
      c.grad([
        [0, lit],
        [1, i > 1 ? dim : lit],
      ]),
    );
    s += P(
      `M${xy(px, top)}C${xy(px + 40 * u * m, top + 40 * u)} ${xy(px - sw * 0.4, top + 90 * u)} ${xy(px + sw, h + 9)}L${xy(m > 0 ? w + 20 : -20, h + 9)}V${n(h * t + 20 * u)}C${xy(px + (m > 0 ? w - px : -px) * 0.7, h * t + 14 * u)} ${xy(px + 46 * u * m, top + 6 * u)} ${xy(px, top)}`,
      c.grad([
        [0, dim, 0.9],
        [1, dim, 0.35],
      ]),
    );
    let d = "";
    for (let k = 1; k < 7; k++) {
      const yy = h * t + k * (7 + i * 4) * u;
      d += `M${xy(px - m * 40 * u, yy)}q${xy(-m * 60 * u, 7 * u)} ${xy(-m * (120 + 30 * i) * u, 2 * u)}`;
    }
    s += S(d, c.light, 0.9 * u, O(c.dark ? 0.12 : 0.4));
  });
  return s;
}
