/**
 * Styles cannot leak: a class stands in a module beside the component that wears it. What is checked here, over
 * the syntax trees: every class a component takes from a module exists there, every class of a module is worn by
 * somebody, and a class given by its bare name is one of the few global ones that styles/base.css defines.
 */
import { transform } from "lightningcss";
import { parseSync } from "vite";

/** A few words of typography and layout for all pages. Anything else is a component of ui/ or a module. */
export const GLOBAL = new Set([
  "wrap",
  "grid",
  "sr",
  "tnum",
  "muted",
  "quiet",
  "small",
  "caption",
  "lead",
  "brass",
  "label",
]);

/** The names that a CSS module gives out. */
export function classesOf(css) {
  const { exports } = transform({
    filename: "x.module.css",
    code: Buffer.from(css),
    cssModules: { animation: false, customIdents: false, grid: false, container: false },
  });
  return new Set(Object.keys(exports));
}

function* walk(node) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const child of node) yield* walk(child);
    return;
  }
  if (typeof node.type === "string") yield node;
  for (const [key, child] of Object.entries(node)) if (key !== "parent") yield* walk(child);
}

/** Bare class names inside an expression: of a literal, of what `classes(…)` joins, of both arms of a choice. */
function* bareNames(node) {
  for (const part of walk(node)) {
    if (part.type === "BinaryExpression") continue;
    if (part.type === "Literal" && typeof part.value === "string")
      yield* part.value.split(/\s+/).filter(Boolean);
    if (part.type === "TemplateElement") yield* part.value.cooked.split(/\s+/).filter(Boolean);
  }
}

/** What a component's source does with classes: its modules, what it takes of each, and the bare names. */
export function usesOf(source, file = "x.tsx") {
  const { program } = parseSync(file, source);
  const modules = new Map();
  const taken = [];
  const bare = [];
  for (const node of walk(program)) {
    if (node.type === "ImportDeclaration" && node.source.value.endsWith(".module.css"))
      for (const { local } of node.specifiers) modules.set(local.name, node.source.value);
    if (node.type === "JSXAttribute" && /^(className|\w+Class)$/.test(node.name.name))
      bare.push(...bareNames(withoutComparisons(node.value)));
    if (node.type === "CallExpression" && node.callee.name === "classes")
      bare.push(...bareNames(withoutComparisons(node.arguments)));
  }
  for (const node of walk(program)) {
    if (node.type !== "MemberExpression" || !modules.has(node.object.name)) continue;
    const name = node.computed
      ? node.property.type === "Literal"
        ? node.property.value
        : null
      : node.property.name;
    taken.push({ module: modules.get(node.object.name), name });
  }
  return { modules: [...modules.values()], taken, bare: [...new Set(bare)] };
}

/** A copy without what is only compared or looked up: `css.on` and `tone === "ok"` name no bare class. */
function withoutComparisons(node) {
  if (!node || typeof node !== "object") return node;
  if (Array.isArray(node)) return node.map(withoutComparisons);
  if (node.type === "MemberExpression") return null;
  if (node.type === "BinaryExpression" && node.operator !== "+") return null;
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutComparisons(child)]));
}

/** Means every class name of a module. */
export const ANY = "*";

/**
 * Returns the faults of one source file. `classes(module)` returns the class names of a module by its import path in that
 * file. `worn(module, name)` is called for each class that the file uses.
 */
export function faultsOf(file, source, classes, worn) {
  const faults = [];
  const { taken, bare } = usesOf(source, file);
  for (const { module, name } of taken) {
    // A computed name may be any class of the module.
    if (name === null || classes(module).has(name)) worn(module, name ?? ANY);
    else faults.push(`${file}: ${module} has no .${name}`);
  }
  for (const name of bare) if (!GLOBAL.has(name)) faults.push(`${file}: "${name}" is no class of a module`);
  return faults;
}

/** Classes of a global sheet that are not allowed to be global. */
export const globalsOf = (css) => [...classesOf(css)].filter((name) => !GLOBAL.has(name));
