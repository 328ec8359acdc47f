// Cuts the two typefaces down to what the product uses, into src/styles/fonts (ignored by git).
// Fraunces is pinned at optical size 36: the 14 cut looks heavy in a headline, the 144 loses the bar of its "e".
import { mkdir, readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join("");
const LATIN = range(0x20, 0x7e) + range(0xa0, 0xff) + "ıŒœŠšŸŽž–—‘’‚“”„†•…‹›€™−";

const FONTS = [
  {
    from: "fraunces/files/fraunces-latin-opsz-normal.woff2",
    to: "fraunces-display.woff2",
    axes: { opsz: 36, wght: { min: 300, max: 500 } },
  },
  {
    from: "instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
    to: "instrument-sans.woff2",
    axes: { wght: { min: 400, max: 600 } },
  },
];

const root = new URL("../", import.meta.url);
const out = new URL("src/styles/fonts/", root);
await mkdir(out, { recursive: true });
for (const { from, to, axes } of FONTS) {
  const whole = await readFile(new URL(`node_modules/@fontsource-variable/${from}`, root));
  const cut = await subsetFont(whole, LATIN, { targetFormat: "woff2", variationAxes: axes });
  await writeFile(new URL(to, out), cut);
  console.log(`${to}  ${(cut.length / 1024).toFixed(1)} KB`);
}
