import { n, xy } from "../geometry";
import { C, O, P, S } from "../marks";
import type { Canvas } from "../canvas";

/** Ridges in mist, one boat. */
export function mindfulness(c: Canvas): string {
  const { w, h, u, R } = c,
    x = w * (c.flip ? R(0.54, 0.78) : R(0.22, 0.46)),
    y = h * R(0.16, 0.34),
    q = R(24, 48) * u,
    hz = h * R(0.68, 0.76);
  let s = c.base(c.sky1) + c.sky(0.8) + c.rings(x, y, q, 2, 0.7, 0.5) + c.disc(x, y, q, 0.5);
  const tone: [ink: string, at: number, tall: number][] = [
    [c.far, 0.42, 58],
    [c.far, 0.5, 46],
    [c.mid, 0.58, 40],
    [c.mid, 0.66, 28],
  ];
  tone.forEach(([col, t, a], i) => {
    s += c.land(
      c.ridge(h * t, a * u, 2.4 + i * 0.5, i < 3),
      c.grad([
        [0, col, 0.55 + i * 0.15],
        [0.7, c.sky1, 0.5],
        [1, c.sky1],
      ]),
      hz + 4,
    );
  });
  s +=
    c.band(hz, h - hz, [
      [0, c.sky1],
      [0.4, c.water],
      [1, c.mid],
    ]) + c.dashes(hz, h, 22, c.light, 0.6);
  const bx = w * (c.flip ? R(0.22, 0.5) : R(0.5, 0.78)),
    by = h * R(0.83, 0.86),
    b = 30 * u;
  s +=
    P(
      `M${xy(bx - b, by - 4 * u)}q${xy(b, 17 * u)} ${xy(b * 2, -2 * u)}q${xy(-b, 7 * u)} ${xy(-b * 2, 2 * u)}`,
      c.near,
    ) +
    P(
      `M${xy(bx - 3 * u, by + 3 * u)}q${xy(-5 * u, -20 * u)} ${xy(4 * u, -22 * u)}q${xy(9 * u, 4 * u)} ${xy(5 * u, 22 * u)}Z`,
      c.near,
    ) +
    C(bx + 2 * u, by - 23 * u, 4.3 * u, c.near) +
    S(`M${xy(bx + 8 * u, by - 16 * u)}l${xy(26 * u, 30 * u)}`, c.near, 1.2 * u);
  s += S(
    [1, 2, 3, 4]
      .map((i) => `M${xy(bx - b * (1.15 - i * 0.2), by + (5 + i * 5) * u)}h${n(b * (2.3 - i * 0.4))}`)
      .join(""),
    c.near,
    1.4 * u,
    O(0.35),
  );
  return (
    s +
    c.land(c.ridge(h * 0.985, 12 * u, 3), c.near) +
    c.reeds(c.flip ? w * 0.92 : w * 0.06, h + 6, 11, 86 * u, c.near, 80 * u)
  );
}
