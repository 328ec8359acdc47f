/**
 * What a first visit may weigh, in KB of gzip (fonts: KB of woff2). Sizes are counted from Vite's manifest.
 * The entry is its whole closure of static imports. Four chunks are shared by pages and loaded once: the data
 * layer, the forms library, the player, and the prints, which stand in for all pictures (one photograph would be
 * 60). A page counts the rest.
 */
export const LIMITS = {
  entry: 90,
  data: 48,
  forms: 13,
  player: 15,
  prints: 12,
  route: 26,
  css: 14,
  fonts: 66,
};

/** The shared chunks, by the names that vite.config.ts gives them. */
const SHARED = ["data", "forms", "player", "prints"];

/** All files a chunk needs before it runs: itself and its static imports. */
export function closure(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(manifest, next, seen);
  return seen;
}

/**
 * The chunks that the data chunk imports and that import it. A browser runs such a chunk before the data chunk, whose code it needs
 * as soon as it runs: the page fails.
 */
export const circles = (manifest) =>
  Object.keys(manifest)
    .filter((key) => manifest[key].name === "data" && !manifest[key].isDynamicEntry)
    .flatMap((data) => [...closure(manifest, data)].filter((key) => manifest[key]?.imports?.includes(data)));

const sum = (keys, size) => [...keys].reduce((total, key) => total + size(key), 0);

/**
 * Weighs a build. `size(file)` is a file's compressed size in bytes.
 * Answers with rows of { name, kb, limit, ok }.
 */
export function weigh(manifest, size, limits = LIMITS) {
  const keys = Object.keys(manifest);
  const js = (key) => size(manifest[key].file);
  const entryKey = keys.find((key) => manifest[key].isEntry);
  if (!entryKey) throw new Error("the manifest has no entry");
  const entry = closure(manifest, entryKey);
  const named = (name) => new Set(keys.filter((key) => manifest[key].name === name && !entry.has(key)));
  const chunks = SHARED.map((name) => [name, named(name)]);
  const shared = (key) => entry.has(key) || chunks.some(([, chunk]) => chunk.has(key));
  // A part of a page that comes when it is asked for adds to what every page that asks for it has brought.
  const earlier = (key) => {
    const pages = keys.filter((k) => !entry.has(k) && manifest[k].dynamicImports?.includes(key));
    return pages.map((page) => closure(manifest, page));
  };
  const own = (key) => {
    const before = earlier(key);
    const had = (k) => before.length > 0 && before.every((brought) => brought.has(k));
    return Array.from(closure(manifest, key)).filter((k) => !shared(k) && !had(k));
  };
  const css = new Set([...entry].flatMap((key) => manifest[key].css ?? []));
  const fonts = keys.map((key) => manifest[key].file).filter((file) => file.endsWith(".woff2"));

  const row = (name, bytes, limit) => ({ name, kb: bytes / 1024, limit, ok: bytes <= limit * 1024 });
  const routes = keys.filter((key) => /^src\/(routes|features)\//.test(key) && manifest[key].isDynamicEntry);
  return [
    row("entry", sum(entry, js), limits.entry),
    ...chunks.map(([name, chunk]) => row(name, sum(chunk, js), limits[name])),
    ...routes.map((key) => row(key, sum(own(key), js), limits.route)),
    row("css of the first load", sum(css, size), limits.css),
    row("fonts", sum(fonts, size), limits.fonts),
  ];
}
