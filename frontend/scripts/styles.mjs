// Part of `npm run lint`: fails where a style could leak, is misspelt, or is worn by nobody. Rules in styles-rules.mjs.
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ANY, classesOf, faultsOf, globalsOf } from "./styles-rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const files = (await readdir(join(root, "src"), { recursive: true })).map((file) => join("src", file));
const faults = [];
const worn = new Map();

const names = new Map();
function classes(path) {
  if (!existsSync(join(root, path))) return new Set();
  if (!names.has(path)) names.set(path, classesOf(readFileSync(join(root, path), "utf8")));
  return names.get(path);
}
const pathOf = (file, module) =>
  module.startsWith("@/") ? join("src", module.slice(2)) : join(dirname(file), module);

for (const file of files.filter((f) => /\.tsx?$/.test(f) && !f.startsWith("src/gen/"))) {
  const found = faultsOf(
    file,
    await readFile(join(root, file), "utf8"),
    (module) => classes(pathOf(file, module)),
    (module, name) => {
      const path = pathOf(file, module);
      worn.set(path, (worn.get(path) ?? new Set()).add(name));
    },
  );
  faults.push(...found);
}
for (const file of files.filter((f) => f.endsWith(".css"))) {
  if (file.endsWith(".module.css")) {
    const used = worn.get(file) ?? new Set();
    if (used.has(ANY)) continue;
    for (const name of classes(file)) if (!used.has(name)) faults.push(`${file}: nobody wears .${name}`);
  } else if (!file.startsWith("src/styles/"))
    faults.push(`${file}: only src/styles is global; make it a module`);
  else if (file === "src/styles/base.css")
    faults.push(
      ...globalsOf(await readFile(join(root, file), "utf8")).map(
        (name) => `${file}: .${name} is not one of the global words`,
      ),
    );
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length ? 1 : 0;
