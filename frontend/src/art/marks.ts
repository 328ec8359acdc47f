import { n } from "./geometry";

/** The four marks a scene is made of. Attributes only, never `style`: the page's CSP allows no inline style. */

/** A filled path. */
export const P = (d: string, fill: string, more = ""): string => `<path d="${d}" fill="${fill}"${more}/>`;

/** A stroked path with round ends. */
export const S = (d: string, stroke: string, width: number, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}" stroke-linecap="round"${more}/>`;

/** An opacity attribute. */
export const O = (v: number): string => ` opacity="${n(v) === "0" ? 0 : Math.round(v * 100) / 100}"`;

/** A filled circle. */
export const C = (x: number, y: number, r: number, fill: string, more = ""): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${more}/>`;
