import { expect, test } from "vitest";
import { ANY, classesOf, faultsOf, globalsOf, usesOf } from "./styles-rules.mjs";

const css = `
@layer screens {
  .head { color: red; }
  .head > .title:hover { margin: 0.5em; }
  @media (max-width: 599px) { .small-print { background: url("./a.b.svg"); } }
}`;
const head = 'import css from "./Head.module.css";\nimport { classes } from "@/ui/classes";\n';
const faults = (source, worn = () => {}) => faultsOf("Head.tsx", head + source, () => classesOf(css), worn);

test("a module gives out the classes of all its rules, and nothing else", () => {
  expect(classesOf(css)).toEqual(new Set(["head", "title", "small-print"]));
});

test("a class that the module has not got is a fault", () => {
  expect(faults("const a = <p className={css.titel} />;")).toEqual([
    "Head.tsx: ./Head.module.css has no .titel",
  ]);
  expect(faults("const a = <p className={classes(css.title, on && css.head)} />;")).toEqual([]);
});

test("a bare class is a fault, however it is given, except the few global words", () => {
  for (const source of [
    '<p className="acts" />',
    '<p className={on ? "acts" : undefined} />',
    '<p className={classes(css.head, on && "acts")} />',
    "<p className={`acts ${css.head}`} />",
    '<p innerClass="acts" />',
  ])
    expect(faults(`const a = ${source};`)).toEqual(['Head.tsx: "acts" is no class of a module']);
  expect(faults('const a = <p className="small muted" />;')).toEqual([]);
});

test("what is only compared is no class", () => {
  expect(faults('const a = <p className={state === "done" ? css.head : undefined} />;')).toEqual([]);
});

test("each used class is reported, and a computed name counts as all of them", () => {
  const worn = [];
  faults("const a = <p className={classes(css.head, css[look])} />;", (_, name) => worn.push(name));
  expect(worn).toEqual(["head", ANY]);
});

test("a module may be imported by any name", () => {
  expect(usesOf('import look from "@/ui/Look.module.css"; const a = look["card"];').taken).toEqual([
    { module: "@/ui/Look.module.css", name: "card" },
  ]);
});

test("a global sheet has only the global words", () => {
  expect(globalsOf("@layer base { .wrap { margin: 0 } .acts { margin: 0 } }")).toEqual(["acts"]);
});
