import { Canvas } from "./canvas";
import type { ArtOptions } from "./canvas";
import { n } from "./geometry";

/** The night stage: a lake with no moon, because the player's ring is the moon. `x` (0 to 1) is where the ring stands. */
export function stage(o: Omit<ArtOptions, "category" | "theme"> & { x?: number }): string {
  const c = new Canvas({ ...o, category: "Better Sleep", theme: "dark" });
  const { w, h, R } = c;
  const u = (c.u = h / 700);
  const hz = h * 0.63;
  const x = w * (o.x || 0.5);
  const night = "#0c1517";
  c.light = "#cfe3d8";
  let s =
    c.base(night) +
    c.band(0, hz, [
      [0, night],
      [0.55, "#0f1d20"],
      [1, "#1f3a3d"],
    ]) +
    c.stars(44, 0.34) +
    `<ellipse cx="${n(x)}" cy="${n(hz)}" rx="${n(430 * u)}" ry="${n(210 * u)}" fill="${c.glow("#8cc7bc", 0.3)}"/>`;
  s +=
    c.land(
      c.ridge(hz - 48 * u, 60 * u, 3.4, 1),
      c.grad([
        [0, "#1c3538"],
        [1, "#1f3a3d"],
      ]),
      hz,
    ) +
    c.land(
      c.ridge(hz - 12 * u, 30 * u, 4.4),
      c.grad([
        [0, "#132629"],
        [1, "#172e31"],
      ]),
      hz + 1,
    );
  s +=
    c.band(hz, h - hz, [
      [0, "#1d3639"],
      [0.35, "#12252a"],
      [1, night],
    ]) +
    c.dashes(hz + 5 * u, h * 0.98, 54, c.light, 0.3, x, 120) +
    c.dashes(hz, h, 46, "#2b4a4d", 0.6);
  for (let i = 0; i < 7; i++) {
    const t = (i + R(0, 1)) / 7;
    s += c.ripple(
      ((i * 0.618 + 0.2) % 1) * w,
      hz + (h - hz) * (0.14 + t * 0.8),
      u * (14 + 50 * t),
      4,
      "#8cc7bc",
      0.1 + t * 0.12,
      1,
    );
  }
  s +=
    c.reeds(w * 0.015, h * 1.03, 16, 170 * u, "#070d0f", 170 * u) +
    c.reeds(w * 0.985, h * 1.03, 14, 140 * u, "#070d0f", 140 * u);
  return c.svg(s);
}
