import { Canvas } from "./canvas";
import type { ArtOptions } from "./canvas";
import { n } from "./geometry";
import { mix } from "./inks";

/** The home page's lake, 1600 x 620: the page itself is the sky, so nothing is painted above the hills. */
export function hero(o: Omit<ArtOptions, "category">): string {
  const c = new Canvas({ ...o, category: "Stress Relief" });
  const { w, h, R } = c;
  const u = (c.u = h / 620);
  const paper = c.dark ? "#10191b" : "#f8f5ef";
  const hz = h * 0.52;
  const m = (a: string, t: number) => mix(a, paper, t);
  const far = c.dark ? "#2a4344" : "#a9c0b5";
  const mid = c.dark ? "#1e3536" : "#6f9c91";
  const near = c.dark ? "#0b1517" : "#234b4a";
  const wat = c.dark ? "#1b3133" : "#b9cfc5";
  const glow = c.dark ? "#e3b873" : "#eebf86";
  let s =
    c.land(
      c.ridge(hz - 62 * u, 70 * u, 3.4, 1),
      c.grad([
        [0, m(far, 0.42)],
        [1, paper],
      ]),
      hz,
    ) +
    c.land(
      c.ridge(hz - 34 * u, 52 * u, 4.2, 1),
      c.grad([
        [0, far],
        [1, m(far, 0.86)],
      ]),
      hz,
    ) +
    c.land(
      c.ridge(hz - 6 * u, 30 * u, 5),
      c.grad([
        [0, mid],
        [0.7, m(mid, 0.5)],
      ]),
      hz + 2,
    );
  s +=
    c.band(hz, h - hz, [
      [0, m(wat, 0.3)],
      [0.34, wat],
      [0.8, m(wat, 0.4)],
      [1, paper],
    ]) +
    c.band(hz, 34 * u, [
      [0, mid, 0.6],
      [1, mid, 0],
    ]) +
    `<ellipse cx="${n(w * 0.64)}" cy="${n(hz)}" rx="${n(w * 0.2)}" ry="${n(150 * u)}" fill="${c.glow(glow, c.dark ? 0.3 : 0.6)}"/>`;
  c.light = c.dark ? "#f0dcb4" : "#fffaf0";
  s +=
    c.dashes(hz + 8 * u, h * 0.9, 70, c.light, c.dark ? 0.42 : 0.9, w * 0.64, 150) +
    c.dashes(hz + 4 * u, h * 0.84, 40, mid, 0.34);
  for (let i = 0; i < 13; i++) {
    const t = (i + R(0, 1)) / 13,
      x = ((i * 0.618 + 0.3) % 1) * w;
    s += c.ripple(
      x,
      hz + (h - hz) * (0.1 + t * 0.66),
      u * (12 + 58 * t),
      4,
      i % 3 ? c.light : mid,
      (0.3 + t * 0.5) * (c.dark ? 0.4 : 1),
      1,
    );
  }
  const k = w / h > 1.2 ? 24 : 14;
  s +=
    c.reeds(w * 0.02, h * 1.02, k, 360 * u, near, 230 * u) +
    c.reeds(w * 0.985, h * 1.02, k, 300 * u, near, 190 * u);
  s += c.band(h * 0.74, h * 0.27, [
    [0, paper, 0],
    [0.9, paper],
  ]);
  return c.svg(s, "xMidYMax");
}
