import { expect, test } from "vitest";
import { artworkOf } from "./artwork";

async function pixels(src: string): Promise<{ size: number; colours: number }> {
  const image = new Image();
  image.src = src;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext("2d");
  drawing?.drawImage(image, 0, 0);
  const { data } = drawing?.getImageData(0, 0, image.width, image.height) ?? {
    data: new Uint8ClampedArray(),
  };
  return { size: image.width, colours: new Set(new Uint32Array(data.buffer)).size };
}

test("a print becomes a PNG of 512 px, the same for the same recording", async () => {
  const lake = await artworkOf({ scene: "Better Sleep", seed: "lake" });
  expect(lake).toMatch(/^data:image\/png;base64,/);
  const { size, colours } = await pixels(lake);
  expect(size).toBe(512);
  expect(colours).toBeGreaterThan(20);
  expect(await artworkOf({ scene: "Better Sleep", seed: "lake" })).toBe(lake);
  expect(await artworkOf({ scene: "Better Sleep", seed: "hill" })).not.toBe(lake);
});
