import { xy } from "../geometry";
import { O, S } from "../marks";
import type { Canvas } from "../canvas";

/** Tall grass at the end of a good day. */
export function gratitude(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * (c.flip ? R(0.24, 0.5) : R(0.5, 0.76)),
    y = h * R(0.3, 0.5),
    q = R(38, 76) * u;
  let s = c.base(c.sky1) + c.sky(0.7) + c.rings(x, y, q, 3, 0.6, 0.34) + c.disc(x, y, q, 0.75);
  s +=
    c.misty(c.ridge(h * 0.56, 26 * u, 2), c.far, c.sky1, h * 0.8) +
    c.misty(c.ridge(h * 0.66, 18 * u, 2.6), c.water, c.far, h) +
    c.misty(c.ridge(h * 0.78, 16 * u, 2), c.far, c.mid, h);
  const many = Math.round(30 * Math.max(1, w / h)),
    tuft = (k: number, y0: number, tall: number, col: string, w2: number, o2: number, ear: number) => {
      let d = "",
        e = "";
      for (let i = 0; i < k; i++) {
        const bx = R(-0.04, 1.04) * w,
          t = tall * R(0.55, 1),
          ln = R(0.05, 0.3) * t * (c.flip ? -1 : 1);
        d += `M${xy(bx, y0)}q${xy(0, -t * 0.6)} ${xy(ln, -t)}`;
        if (i % ear === 0) e += `M${xy(bx + ln, y0 - t)}q${xy(ln * 0.14, -9 * u)} ${xy(ln * 0.42, -17 * u)}`;
      }
      return S(d, col, w2 * u, O(o2)) + S(e, col, w2 * 3.4 * u, O(o2));
    };
  return (
    s +
    tuft(many * 0.8, h * 0.93, 100 * u, c.light, 1, 0.6, 2) +
    tuft(many, h + 6, 130 * u, c.mid, 1.4, 1, 2) +
    tuft(many * 0.8, h + 10, 205 * u, c.near, 1.8, 1, 2)
  );
}
