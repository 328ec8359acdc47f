import { xy } from "../geometry";
import { O, S } from "../marks";
import type { Canvas } from "../canvas";

/** Serein: fine rain from a clear evening sky. */
export function stressRelief(c: Canvas): string {
  const { w, h, u, R } = c,
    hz = h * R(0.42, 0.58),
    x = w * (c.flip ? R(0.24, 0.44) : R(0.56, 0.76)),
    q = R(20, 40) * u;
  let s =
    c.base(c.water) +
    c.sky(0.54) +
    c.disc(x, hz - R(20, 90) * u, q, 0.7) +
    c.misty(c.ridge(hz - 50 * u, 40 * u, 2.2, 1), c.far, c.sky1, hz) +
    c.misty(c.ridge(hz - 12 * u, 20 * u, 2.8), c.mid, c.far, hz);
  s +=
    c.band(hz, h - hz, [
      [0, c.sky1],
      [0.3, c.water],
      [1, c.mid],
    ]) + c.dashes(hz, h * 0.8, 18, c.light, 0.6, x, 60);
  const k = Math.max(9, Math.round((w / h) * 10));
  for (let i = 0; i < k; i++) {
    const t = (i + R(0, 1)) / k;
    s += c.ripple(
      ((i * 0.618 + 0.1) % 1) * w,
      hz + (h - hz) * (0.12 + t * 0.84),
      u * (8 + 40 * t),
      3,
      i % 3 ? c.light : c.near,
      0.25 + t * 0.4,
      0.7 + t * 0.5,
    );
  }
  let d = "";
  const m = Math.round(46 * Math.max(1, w / h));
  for (let i = 0; i < m; i++) {
    const l = R(16, 58) * u;
    d += `M${xy(R(-0.02, 1.02) * w, R(-0.05, 0.9) * h)}l${xy(-l * 0.08, l)}`;
  }
  return (
    s +
    S(d, c.light, 0.8 * u, O(0.5)) +
    c.reeds(c.flip ? w * 0.9 : w * 0.08, h + 8, 16, 190 * u, c.near, 130 * u)
  );
}
