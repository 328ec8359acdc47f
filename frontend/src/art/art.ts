import { Canvas } from "./canvas";
import type { ArtOptions } from "./canvas";
import { INKS } from "./inks";
import type { Category } from "./inks";
import { SCENES } from "./scenes";

/** A print as an SVG string: the same for the same options. Takes about 0.4 ms; draw it in a memo. */
export function art(options: ArtOptions): string {
  const c = new Canvas(options);
  return c.svg(SCENES[options.category](c));
}

/** The category's scene for any text that came from elsewhere. */
export const categoryOf = (name: string): Category => (name in INKS ? (name as Category) : "Uncategorized");
