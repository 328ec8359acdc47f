import { closed, ellipse, n, noise, xy } from "../geometry";
import { C, O, P, S } from "../marks";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** Raked gravel around stones. */
export function focusAndConcentration(c: Canvas): string {
  const { w, h, u, R } = c,
    gap = 10.5 * u;
  let s = c.base(
      c.grad(
        [
          [0, c.sky0],
          [1, c.sky1],
        ],
        0.3,
        1,
      ),
    ),
    d = "";
  const f = noise(c.r);
  for (let y = -gap; y < h + gap; y += gap) {
    const a = f(y / (150 * u)) * 10 * u;
    d += `M-4 ${n(y)}q${xy(w * 0.25, a)} ${xy(w * 0.5, 0)}t${xy(w * 0.52, 0)}`;
  }
  s += c.pair(d, 1.5 * u, 0.72);
  const stone = (x: number, y: number, q: number, k: number) => {
    let g = C(x, y, q + gap * (k + 0.55), c.dark ? c.sky0 : "#e5dbc8"),
      e = "";
    for (let i = 1; i <= k; i++) e += ellipse(x, y, q + gap * i, q + gap * i);
    g += c.pair(e, 1.6 * u, 0.85);
    const z = noise(c.r),
      pts = Array.from({ length: 9 }, (_, i): Point => {
        const a = (i / 9) * 6.283,
          k2 = q * (0.92 + z(i * 1.7) * 0.1);
        return [x + Math.cos(a) * k2 * 1.08, y + Math.sin(a) * k2 * 0.82];
      }),
      b = closed(pts);
    g +=
      C(x, y + q * 0.1, q * 1.06, c.mid, O(0.35)) +
      `<g transform="translate(${xy(7 * u, 8 * u)})">` +
      P(b, c.near, O(0.28)) +
      "</g>" +
      P(
        b,
        c.grad(
          [
            [0, c.mid],
            [0.45, c.near],
            [1, c.near],
          ],
          -0.5,
          1,
        ),
      ) +
      S(
        `M${xy(x - q * 0.5, y - q * 0.34)}q${xy(q * 0.34, -q * 0.36)} ${xy(q * 0.8, -q * 0.22)}`,
        c.light,
        1.4 * u,
        O(0.4),
      );
    return g;
  };
  const a = c.flip ? 0.64 : 0.38;
  s +=
    stone(w * (1 - a), h * R(0.74, 0.8), R(15, 19) * u, 3) + stone(w * a, h * R(0.4, 0.46), R(44, 54) * u, 5);
  return (
    s +
    c.rect(
      0,
      0,
      w,
      h,
      c.grad(
        [
          [0, c.light, c.dark ? 0.06 : 0.4],
          [0.5, c.light, 0],
          [1, c.near, 0.16],
        ],
        1,
        1,
      ),
    )
  );
}
