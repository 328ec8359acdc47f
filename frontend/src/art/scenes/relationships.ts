import { smooth, xy } from "../geometry";
import { O, P, S } from "../marks";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** A bridge and its reflection close the ring. */
export function relationships(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * R(0.4, 0.6),
    hz = h * R(0.54, 0.64),
    q = R(74, 112) * u,
    red = c.dark ? "#b86b4c" : "#a9583c";
  let s =
    c.base(c.sky1) +
    c.sky(0.62) +
    c.disc(w * (c.flip ? 0.76 : 0.24), h * 0.2, 25 * u, 0.5) +
    c.misty(c.ridge(hz - 60 * u, 46 * u, 2.4, 1), c.far, c.sky1, hz) +
    c.misty(c.ridge(hz - 20 * u, 24 * u, 3), c.mid, c.far, hz);
  s += c.band(hz, h - hz, [
    [0, c.sky1],
    [0.3, c.water],
    [1, c.mid],
  ]);
  const arc = (sg: 1 | -1) => `M${xy(x - q, hz)}A${xy(q, q)} 0 0 ${sg > 0 ? 1 : 0} ${xy(x + q, hz)}`,
    rail = (sg: 1 | -1) => {
      let d = "";
      for (let i = 1; i < 12; i++) {
        const a = Math.PI * (i / 12),
          cx = x - Math.cos(a) * q,
          cy = hz - sg * Math.sin(a) * q;
        d += `M${xy(cx, cy)}l${xy(-Math.cos(a) * 9 * u, -sg * (15 + Math.sin(a) * 5) * u)}`;
      }
      const Q = q + 21 * u;
      return (
        d + `M${xy(x - Q, hz - sg * 4 * u)}A${xy(Q, Q)} 0 0 ${sg > 0 ? 1 : 0} ${xy(x + Q, hz - sg * 4 * u)}`
      );
    };
  s +=
    `<g opacity=".4">` +
    S(arc(-1), red, 9 * u) +
    S(rail(-1), red, 2.4 * u) +
    "</g>" +
    c.dashes(hz + 8 * u, h, 40, c.sky1, 0.65);
  s += S(arc(1), red, 9.5 * u) + S(rail(1), red, 2.6 * u) + S(arc(1), c.light, 1.1 * u, O(0.5));
  const bank = (sd: 1 | -1) => {
    const e = sd < 0 ? x - q : x + q,
      p: Point[] = [];
    for (let i = 0; i < 9; i++)
      p.push([
        sd < 0 ? -10 + (e + 34 * u) * (i / 8) : w + 10 - (w - e + 34 * u) * (i / 8),
        hz - (1 - i / 8) * R(16, 30) * u + (i === 8 ? 16 : 3) * u,
      ]);
    return P(
      smooth(p) +
        `Q${xy(sd < 0 ? e * 0.4 : w - (w - e) * 0.4, hz + 20 * u)} ${xy(sd < 0 ? -10 : w + 10, hz + 26 * u)}Z`,
      c.near,
    );
  };
  s += bank(-1) + bank(1);
  return (
    s +
    c.reeds(c.flip ? w * 0.95 : w * 0.05, h + 6, 16, 130 * u, c.near, 110 * u) +
    c.birds(w * (c.flip ? 0.2 : 0.6), h * 0.16, 2, c.near)
  );
}
