// Writes .br and .gz beside every asset that shrinks, so that the gateway compresses nothing at run time.
// index.html is left out: the gateway puts boot data into it.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const SHRINKS = /\.(js|css|svg|json|txt|map)$/;

const files = await readdir(dist, { recursive: true });
for (const file of files.filter((f) => SHRINKS.test(f) && !f.startsWith(".vite"))) {
  const url = new URL(file, dist);
  const raw = await readFile(url);
  const br = brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  await writeFile(new URL(`${file}.br`, dist), br);
  await writeFile(new URL(`${file}.gz`, dist), gzipSync(raw, { level: 9 }));
}
