import { createHash } from "node:crypto";

/** The page that opens without a connection, and what may come up on it. */
const ROOTS = ["src/routes/kept.tsx", "src/routes/not-found.tsx"];

/** Other pages, and what only they ask for later, need the gateway in any case. */
const isElsewhere = (key) => key.startsWith("src/routes/") && !ROOTS.includes(key);

/** Chunks that are asked for from the shell, and that say nothing without the gateway. */
const ONLINE = [
  "src/app/Account.tsx",
  "src/app/TopUp.tsx",
  "src/app/usage.ts",
  "src/features/search/Search.tsx",
  "src/data/start-plan.ts",
];

/** Every file that the page of what is kept needs, however late it asks for it: chunks, their styles and fonts, from Vite's manifest. */
export function shellFiles(manifest) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  if (!entry) throw new Error("the manifest has no entry");
  const missing = ROOTS.filter((key) => !manifest[key]);
  if (missing.length > 0) throw new Error(`the build has no ${missing.join(", ")}`);
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key) || isElsewhere(key) || ONLINE.includes(key)) return;
    seen.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key];
    for (const next of [...imports, ...dynamicImports]) visit(next);
  };
  for (const key of [entry, ...ROOTS]) visit(key);
  const files = [...seen].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]);
  const fonts = Object.values(manifest)
    .map(({ file }) => file)
    .filter((file) => file.endsWith(".woff2"));
  return [...new Set([...files, ...fonts])].toSorted();
}

/** The hash of a file as a browser checks it (Subresource Integrity). */
export const integrityOf = (body) => `sha256-${createHash("sha256").update(body).digest("base64")}`;

/** Names a list of files with their hashes: another build has another name. */
export const versionOf = (files) =>
  createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
