import { art, categoryOf } from "@/art/art";

/** Of the square, in px: what lock screens ask for at most. */
const SIZE = 512;

/** A print as the address of a PNG: lock screens take no SVG. Rejects where the browser cannot draw it. */
export async function artworkOf({ scene, seed }: { scene: string; seed: string }): Promise<string> {
  const svg = art({ category: categoryOf(scene), seed, w: SIZE, h: SIZE, theme: "dark" });
  const image = new Image();
  // Firefox draws none without a size.
  const sized = svg.replace("<svg ", `<svg width="${SIZE}" height="${SIZE}" `);
  image.src = `data:image/svg+xml,${encodeURIComponent(sized)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIZE, SIZE);
  return canvas.toDataURL("image/png");
}
