import { ellipse, hash, n, noise, random, smooth, xy } from "./geometry";
import type { Point, Random } from "./geometry";
import { HOURS, INKS, mix } from "./inks";
import type { Category, Theme } from "./inks";
import { C, O, P, S } from "./marks";

/** What a picture depends on. The same options give the same picture. */
export interface ArtOptions {
  category: Category;
  /** Any text or number: an item's id, or the title of a bespoke meditation. */
  seed: string | number;
  /** Width and height of the drawing; it is cropped to its frame, not squeezed. */
  w: number;
  h: number;
  theme: Theme;
  /** Prefix of the gradients' ids; unique where one picture stands twice in a document. */
  id?: string;
}

type Stop = [offset: number, colour: string, opacity?: number];

/** One sheet of paper with its inks and the building blocks the scenes share. */
export class Canvas {
  readonly w: number;
  readonly h: number;
  /** The unit: line widths and sizes are given for a picture 400 wide. */
  u: number;
  readonly r: Random;
  readonly dark: boolean;
  /** True for the half of the seeds whose picture is mirrored. */
  readonly flip: boolean;
  sky0 = "";
  sky1 = "";
  far = "";
  mid = "";
  near = "";
  light = "";
  water = "";
  defs = "";
  private readonly id: string;
  private used = 0;

  constructor(o: ArtOptions) {
    this.w = o.w;
    this.h = o.h;
    this.u = Math.min(o.w, o.h * 0.8) / 400;
    this.dark = o.theme === "dark";
    this.id = o.id ?? `a${hash([o.category, o.seed, o.w, o.h, o.theme].join("|")).toString(36)}`;
    this.r = random(hash(`${o.category}#${o.seed}`));
    this.mixInks(o.category, o.theme);
    this.flip = this.r() < 0.5;
  }

  private mixInks(category: Category, theme: Theme): void {
    const ink = INKS[category][this.dark ? 1 : 0].split(" ");
    [this.sky0, this.sky1, this.far, this.mid, this.near, this.light, this.water] = ink as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const hours = HOURS[theme];
    const hour = hours[Math.floor(this.r() * hours.length)];
    if (!hour) return;
    const [to, t] = hour.split(" ") as [string, string];
    this.sky1 = mix(this.sky1, to, +t);
    this.sky0 = mix(this.sky0, to, +t * 0.45);
    this.water = mix(this.water, to, +t * 0.5);
  }

  private nextId(): string {
    return this.id + (this.used++).toString(36);
  }

  /** A number from a to b. */
  R = (a: number, b: number): number => a + (b - a) * this.r();

  /** A vertical (or angled) gradient. */
  grad(stops: Stop[], x2 = 0, y2 = 1): string {
    const g = this.nextId();
    const marks = stops.map(
      ([offset, colour, opacity]) =>
        `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? "" : ` stop-opacity="${opacity}"`}/>`,
    );
    this.defs += `<linearGradient id="${g}" x2="${x2}" y2="${y2}">${marks.join("")}</linearGradient>`;
    return `url(#${g})`;
  }

  /** Light around a point, strongest (a) in its middle. */
  glow(colour: string, a: number): string {
    const g = this.nextId();
    const half = Math.round(a * 45) / 100;
    this.defs += `<radialGradient id="${g}"><stop stop-color="${colour}" stop-opacity="${a}"/><stop offset=".35" stop-color="${colour}" stop-opacity="${half}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
    return `url(#${g})`;
  }

  rect(x: number, y: number, w: number, h: number, fill: string, more = ""): string {
    return `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${more}/>`;
  }

  /** A band across the whole picture, from y on, so high, its ink going from stop to stop. */
  band(y: number, high: number, stops: Stop[]): string {
    return this.rect(0, y, this.w, high, this.grad(stops));
  }

  /** Sky with a printer's bokashi: the band of ink wiped across the top. */
  sky(to = 1): string {
    const ink = this.grad([
      [0, this.sky0],
      [0.16, this.sky0, 0.86],
      [0.85, this.sky1],
    ]);
    return this.rect(0, 0, this.w, this.h * to + 1, ink);
  }

  base(colour: string): string {
    return this.rect(0, 0, this.w, this.h, colour);
  }

  /** Points of a ridge at a height: amplitude, roughness (waves across), sharp for mountains. */
  ridge(y: number, amp: number, rough: number, sharp: boolean | 0 | 1 = false): Point[] {
    const f = noise(this.r);
    const g = noise(this.r);
    const step = this.w / Math.max(12, Math.round(rough * 5));
    const from = this.r() * 40;
    const points: Point[] = [];
    for (let x = -step; x <= this.w + step * 1.5; x += step) {
      const t = (x / this.w) * rough + from;
      const v = f(t) * 0.7 + g(t * 2.3) * 0.24 + f(t * 5.1) * (sharp ? 0.16 : 0.03);
      points.push([x, y - (sharp ? 0.9 - Math.abs(v) * 2.1 : v) * amp]);
    }
    return points;
  }

  /** Land below a ridge, down to `bottom`. */
  land(points: Point[], fill: string, bottom = this.h, more = ""): string {
    const left = points[0]?.[0] ?? 0;
    return P(`${smooth(points)}V${n(bottom)}H${n(left)}Z`, fill, more);
  }

  /** Land that dissolves downwards into mist. */
  misty(points: Point[], colour: string, mist: string, bottom?: number): string {
    const ink = this.grad([
      [0, colour],
      [1, mist],
    ]);
    return this.land(points, ink, bottom);
  }

  edge(points: Point[], colour: string, opacity: number, width = 1): string {
    return S(smooth(points), colour, width * this.u, O(opacity));
  }

  disc(x: number, y: number, rad: number, halo = 0.5): string {
    return C(x, y, rad * 3.4, this.glow(this.light, halo)) + C(x, y, rad, this.light);
  }

  /** A full moon, or a crescent where `thin` (the radius of its shadow) is given. */
  moon(x: number, y: number, rad: number, thin: number): string {
    const halo = C(x, y, rad * 3.4, this.glow(this.light, 0.42));
    if (!thin) return halo + C(x, y, rad, this.light);
    const d = `M${xy(x, y - rad)}a${xy(rad, rad)} 0 1 1 0 ${n(rad * 2)}a${xy(rad * thin, rad * thin)} 0 ${thin < 1.1 ? 1 : 0} 0 0 ${n(-rad * 2)}`;
    return halo + P(d, this.light, ` transform="rotate(${this.flip ? 150 : -28} ${xy(x, y)})"`);
  }

  rings(x: number, y: number, rad: number, k: number, opacity: number, step = 0.42): string {
    let d = "";
    for (let i = 1; i <= k; i++) {
      const q = rad * (1 + i * step);
      d += ellipse(x, y, q, q);
    }
    return S(d, this.light, 0.8 * this.u, O(opacity));
  }

  /** k stars in the upper share `to` of the sky. */
  stars(k: number, to: number): string {
    let small = "";
    let large = "";
    for (let i = 0; i < k; i++) {
      const dot = `M${n(this.r() * this.w)} ${n(Math.pow(this.r(), 1.3) * this.h * to)}h0`;
      if (i % 5) small += dot;
      else large += dot;
    }
    return S(small, this.light, 1.1 * this.u, O(0.6)) + S(large, this.light, 2 * this.u, O(0.85));
  }

  /** Water: horizontal dashes that widen towards the viewer, around x and as wide as `spread`. */
  dashes(
    y0: number,
    y1: number,
    k: number,
    colour: string,
    opacity: number,
    x = this.w / 2,
    spread?: number,
  ): string {
    let thin = "";
    let thick = "";
    for (let i = 0; i < k; i++) {
      const t = Math.pow(this.r(), 1.6);
      const y = y0 + (y1 - y0) * t;
      const l = this.u * (8 + 60 * t) * (0.4 + this.r());
      const reach = spread === undefined ? this.w / 2 : this.u * (6 + spread * t);
      const dash = `M${xy(x + (this.r() + this.r() - 1) * reach - l / 2, y)}h${n(l)}`;
      if (t > 0.4) thick += dash;
      else thin += dash;
    }
    return S(thin, colour, 0.9 * this.u, O(opacity)) + S(thick, colour, 1.7 * this.u, O(opacity));
  }

  ripple(x: number, y: number, rx: number, k: number, colour: string, opacity: number, width = 1): string {
    let d = "";
    for (let i = 1; i <= k; i++) {
      const q = rx * Math.pow(i / k, 1.25);
      d += ellipse(x, y, q, q * 0.26);
    }
    return S(d, colour, width * this.u, O(opacity));
  }

  reeds(x: number, y: number, k: number, tall: number, colour: string, spread: number): string {
    let stems = "";
    let ears = "";
    for (let i = 0; i < k; i++) {
      const bx = x + (this.r() - 0.5) * spread;
      const t = tall * (0.5 + this.r() * 0.5);
      const lean = (this.r() - 0.42) * t * 0.45;
      stems += `M${xy(bx, y)}q${xy(lean * 0.15, -t * 0.6)} ${xy(lean, -t)}`;
      if (i % 4 === 0) ears += `M${xy(bx + lean, y - t)}l${xy(lean * 0.05, -14 * this.u)}`;
    }
    return S(stems, colour, 1.5 * this.u) + S(ears, colour, 4.2 * this.u);
  }

  /** A furrow: a dark line and its lit lip. */
  pair(d: string, width: number, opacity: number): string {
    const g = this.nextId();
    this.defs += `<path id="${g}" d="${d}"/>`;
    const line = (colour: string, o: number, dy: number) =>
      `<use href="#${g}" y="${n(dy)}" fill="none" stroke="${colour}" stroke-width="${n(width)}"${O(o)}/>`;
    return line(this.light, this.dark ? 0.1 : 0.85, 2 * this.u) + line(this.far, opacity, 0);
  }

  birds(x: number, y: number, k: number, colour: string): string {
    let d = "";
    for (let i = 0; i < k; i++) {
      const s = this.u * (5 + this.r() * 4);
      const bx = x + i * 17 * this.u * (0.7 + this.r() * 0.6);
      const by = y + (this.r() - 0.5) * 22 * this.u;
      d += `M${xy(bx - s, by - s * 0.35)}q${xy(s * 0.6, -s * 0.2)} ${xy(s, s * 0.35)}q${xy(s * 0.4, -s * 0.55)} ${xy(s, -s * 0.35)}`;
    }
    return S(d, colour, 1.2 * this.u, O(0.7));
  }

  /** The finished picture. `fit` says which part stays when the frame crops it. */
  svg(body: string, fit: "xMidYMid" | "xMidYMax" = "xMidYMid"): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.w} ${this.h}" preserveAspectRatio="${fit} slice" aria-hidden="true" focusable="false"><defs>${this.defs}</defs>${body}</svg>`;
  }
}
