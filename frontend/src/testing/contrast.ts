import { page } from "vitest/browser";

/** The contrast that pixels have behind words: for text that lies over a picture, where axe cannot tell. */

type Rgb = readonly [number, number, number];

/** WCAG's relative luminance. */
function luminance([r, g, b]: Rgb): number {
  const linear = (v: number) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(a: Rgb, b: Rgb): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function pen(width: number, height: number) {
  const made = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!made) throw new Error("there is nothing to draw on");
  return made;
}

function pixelsOf(
  from: OffscreenCanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
): Rgb[] {
  const { data } = from.getImageData(x, y, width, height);
  return Array.from({ length: width * height }, (_, i) => [
    data[4 * i] ?? 0,
    data[4 * i + 1] ?? 0,
    data[4 * i + 2] ?? 0,
  ]);
}

/** A colour as the browser draws it. */
function rgbOf(color: string): Rgb {
  const drawn = pen(1, 1);
  drawn.fillStyle = color;
  drawn.fillRect(0, 0, 1, 1);
  return pixelsOf(drawn, 0, 0, 1, 1)[0] ?? [0, 0, 0];
}

/** Where an element's lines of words stand in it. */
function linesOf(element: Element): DOMRect[] {
  const box = element.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].map((r) => new DOMRect(r.x - box.x, r.y - box.y, r.width, r.height));
}

/** What lies behind an element's words. */
async function behind(element: HTMLElement): Promise<Rgb[]> {
  const hidden = { "-webkit-text-fill-color": "transparent", "text-decoration-color": "transparent" };
  for (const [name, value] of Object.entries(hidden)) element.style.setProperty(name, value);
  const base64 = await page.screenshot({ element: page.elementLocator(element), base64: true, save: false });
  for (const name of Object.keys(hidden)) element.style.removeProperty(name);
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const drawn = pen(bitmap.width, bitmap.height);
  drawn.drawImage(bitmap, 0, 0);
  return linesOf(element).flatMap((line) => {
    const [left, top] = [Math.max(0, Math.floor(line.left)), Math.max(0, Math.floor(line.top))];
    const width = Math.min(bitmap.width, Math.ceil(line.right)) - left;
    const height = Math.min(bitmap.height, Math.ceil(line.bottom)) - top;
    return width > 0 && height > 0 ? pixelsOf(drawn, left, top, width, height) : [];
  });
}

/** The lowest contrast of an element's words with what lies behind them, a pixel in a thousand aside (a drop of rain). */
export async function lowestContrast(element: HTMLElement): Promise<number> {
  const ink = rgbOf(getComputedStyle(element).color);
  const all = (await behind(element)).map((pixel) => contrast(ink, pixel)).toSorted((a, b) => a - b);
  return all[Math.floor(all.length / 1000)] ?? 0;
}
