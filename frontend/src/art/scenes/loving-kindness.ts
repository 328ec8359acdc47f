import { n, xy } from "../geometry";
import { C, O, P, S } from "../marks";
import type { Canvas } from "../canvas";

/** Lanterns set on the water. */
export function lovingKindness(c: Canvas): string {
  const { w, h, u, R } = c,
    hz = h * R(0.28, 0.42),
    o2 = R(0, 1),
    k0 = R(6, 9.4);
  let s =
    c.base(c.water) +
    c.sky(0.42) +
    c.stars(16, 0.2) +
    c.misty(c.ridge(hz - 26 * u, 30 * u, 2.6, 1), c.far, c.sky1, hz) +
    c.misty(c.ridge(hz - 6 * u, 13 * u, 3.4), c.mid, c.mid, hz);
  s +=
    c.band(hz, h - hz, [
      [0, c.sky1, 0.9],
      [0.22, c.water],
      [1, c.near],
    ]) + c.dashes(hz, h, 18, c.sky1, 0.22);
  const g = c.glow(c.light, 0.9),
    b = c.grad([
      [0, c.light],
      [1, c.dark ? "#d98f45" : "#eea55c"],
    ]),
    k = Math.max(6, Math.round((w / h) * k0));
  const at = Array.from({ length: k }, (_, i): [x: number, y: number, size: number] => {
    const t = Math.pow((i + R(0.1, 0.9)) / k, 1.25);
    return [
      w * (0.5 + (((i * 0.618 + o2) % 1) - 0.5) * (0.55 + t * 0.45)),
      hz + 12 * u + (h - hz - 70 * u) * t,
      u * (5 + 25 * t),
    ];
  });
  for (const [x, y, q] of at) {
    s +=
      C(x, y - q * 0.5, q * 3, g) +
      P(
        `M${xy(x - q * 0.5, y)}h${n(q)}l${xy(q * 0.1, -q * 1.25)}q${xy(-q * 0.6, -q * 0.22)} ${xy(-q * 1.2, 0)}Z`,
        b,
      ) +
      S(`M${xy(x - q * 0.62, y)}h${n(q * 1.24)}`, c.near, q * 0.13, O(0.8));
    let d = "";
    for (let i = 1; i < 5; i++) {
      const l = q * (1.1 - i * 0.17) * R(0.7, 1.1);
      d += `M${xy(x - l / 2 + R(-0.1, 0.1) * q, y + q * i * 0.33)}h${n(l)}`;
    }
    s += S(d, c.light, q * 0.11, O(0.6));
  }
  return s;
}
