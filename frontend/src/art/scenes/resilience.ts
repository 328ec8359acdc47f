import { ellipse, smooth, xy } from "../geometry";
import { O, P, S } from "../marks";
import type { Canvas } from "../canvas";
import type { Point } from "../geometry";

/** Half the width of the trunk at each of its points, from the root up. */
const wd = (i: number) => [15, 12, 10, 7.5, 4.5, 2][i] ?? 0;

/** A pine that has grown with the wind. */
export function resilience(c: Canvas): string {
  const { w, h, u, R } = c,
    m = c.flip ? -1 : 1,
    X = (v: number) => (c.flip ? w - v : v),
    hz = h * R(0.66, 0.76),
    sx = X(w * R(0.56, 0.8)),
    sy = h * R(0.26, 0.56),
    q = R(30, 58) * u,
    bx = w * R(0.16, 0.32),
    g = R(0.86, 1.12);
  let s =
    c.base(c.sky1) +
    c.sky(0.72) +
    c.disc(sx, sy, q, 0.55) +
    c.misty(c.ridge(hz - 10 * u, 22 * u, 2.6), c.far, c.sky1, hz) +
    c.band(hz, h - hz, [
      [0, c.sky1],
      [0.25, c.water],
      [1, c.mid],
    ]) +
    c.dashes(hz, h, 22, c.light, 0.55, sx, 70);
  /* rock. */
  const rock: Point[] = [
    [-10, h * 0.66],
    [w * 0.1, h * 0.655],
    [bx, h * 0.68],
    [bx + 34 * u, h * 0.72],
    [bx + 52 * u, h * 0.8],
    [bx + 88 * u, h * 0.85],
    [bx + 100 * u, h * 0.93],
    [bx + 140 * u, h + 8],
    [bx + 150 * u, h + 10],
  ];
  const rk = rock.map(([a, b]): Point => [X(a), b + R(-5, 5) * u]);
  s +=
    P(
      smooth(rk) + `L${xy(X(-10), h + 10)}Z`,
      c.grad([
        [0, c.near],
        [1, c.dark ? "#060d0f" : "#142a2c"],
      ]),
    ) +
    S(
      `M${xy(X(bx + 30 * u), h * 0.74)}l${xy(-m * 14 * u, 60 * u)}M${xy(X(bx + 60 * u), h * 0.83)}l${xy(-m * 22 * u, 56 * u)}M${xy(X(bx - 30 * u), h * 0.7)}l${xy(m * 8 * u, 74 * u)}`,
      c.water,
      1 * u,
      O(0.4),
    );
  /* trunk: thick to thin, leaning downwind; then flat pads of needles. */
  const trunk: Point[] = [
    [0, 0],
    [14, -52],
    [2, -104],
    [36, -150],
    [92, -186],
    [138, -200],
  ];
  const T = trunk.map(([a, b]): Point => [X(bx + a * u), h * 0.69 + b * u * g]),
    branch = (i: number) => xy(...(T[i] as Point));
  s +=
    P(
      smooth(T.map(([a, b], i): Point => [a - m * wd(i) * u * 0.6, b])) +
        smooth(T.map(([a, b], i): Point => [a + m * wd(i) * u * 0.6, b + 2 * u]).toReversed()).replace(
          "M",
          "L",
        ) +
        "Z",
      c.near,
    ) +
    S(
      `M${branch(2)}q${xy(-m * 30 * u, -20 * u)} ${xy(-m * 58 * u, -16 * u)}M${branch(3)}q${xy(m * 30 * u, 14 * u)} ${xy(m * 78 * u, 22 * u)}`,
      c.near,
      4 * u,
    );
  let pd = "",
    hi = "";
  const pads: [x: number, y: number, size: number][] = [
    [-62, -120, 44],
    [104, -130, 46],
    [40, -176, 52],
    [112, -208, 56],
    [158, -196, 34],
    [66, -236, 34],
  ];
  pads.forEach(([a, b, L]) => {
    const px = X(bx + a * u),
      py = h * 0.69 + b * u * g;
    for (let i = -2; i <= 2; i++) {
      const k = L * u * (0.5 - Math.abs(i) * 0.07),
        ex = px + i * L * 0.34 * u,
        ey = py - (4 - i * i) * 2.6 * u * R(0.6, 1.2);
      pd += ellipse(ex, ey, k, k * 0.36);
      if (i % 2 === 0)
        hi += `M${xy(ex - k * 0.62, ey - k * 0.2)}q${xy(k * 0.6, -k * 0.24)} ${xy(k * 1.2, 0)}`;
    }
  });
  s += P(pd, c.dark ? "#183432" : "#2d5a54") + S(hi, c.far, 1.1 * u, O(0.55));
  return s + c.birds(X(w * 0.64) - 20 * u, h * 0.2, 3, c.near);
}
