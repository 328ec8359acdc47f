/**
 * What a first visit may weigh, in KB of gzip (fonts: KB of woff2). Sizes are counted from Vite's manifest.
 * The entry is its whole closure of static imports. Two chunks are shared by pages and loaded once: the data
 * layer, and the prints, which stand in for all pictures (one photograph would be 60). A page counts the rest.
 */
export const LIMITS = { entry: 88, data: 48, prints: 12, player: 20, route: 25, css: 14, fonts: 66 };

/** All files a chunk needs before it runs: itself and its static imports. */
export function closure(manifest, key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(manifest, next, seen);
  return seen;
}

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
  const data = named("data");
  const prints = named("prints");
  const shared = (key) => entry.has(key) || data.has(key) || prints.has(key);
  const own = (key) => Array.from(closure(manifest, key)).filter((k) => !shared(k));
  const css = new Set([...entry].flatMap((key) => manifest[key].css ?? []));
  const fonts = keys.map((key) => manifest[key].file).filter((file) => file.endsWith(".woff2"));

  const row = (name, bytes, limit) => ({ name, kb: bytes / 1024, limit, ok: bytes <= limit * 1024 });
  const routes = keys.filter((key) => /^src\/(routes|features)\//.test(key) && manifest[key].isDynamicEntry);
  return [
    row("entry", sum(entry, js), limits.entry),
    row("data", sum(data, js), limits.data),
    row("prints", sum(prints, js), limits.prints),
    ...routes.map((key) =>
      row(key, sum(own(key), js), /player|listen/i.test(key) ? limits.player : limits.route),
    ),
    row("css of the first load", sum(css, size), limits.css),
    row("fonts", sum(fonts, size), limits.fonts),
  ];
}
