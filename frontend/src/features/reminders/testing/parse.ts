/** A reader of calendar files that is strict about the grammar of RFC 5545, for tests. */

export interface Component {
  name: string;
  properties: Map<string, string>;
  components: Component[];
}

/** contentline = name *(";" param) ":" value, of which ours have no parameters. */
const LINE = /^([A-Z-]+):([^\r\n]*)$/;

/** Unfolded lines; every line has its end. */
function linesOf(file: string): string[] {
  if (!file.endsWith("\r\n")) throw new Error("the last line has no end");
  if (/(?<!\r)\n|\r(?!\n)/.test(file)) throw new Error("a line ends otherwise than by CR and LF");
  return file.slice(0, -2).replaceAll("\r\n ", "").split("\r\n");
}

/** The component that begins with the first of the lines, which it takes away. */
function take(lines: string[]): Component {
  const begin = LINE.exec(lines.shift() ?? "");
  if (begin?.[1] !== "BEGIN") throw new Error("a component begins with BEGIN");
  const component: Component = { name: begin[2] ?? "", properties: new Map(), components: [] };
  for (;;) {
    const [line = ""] = lines;
    const [, name = "", value = ""] = LINE.exec(line) ?? [];
    if (!name) throw new Error(`no content line: ${line}`);
    if (name === "BEGIN") {
      component.components.push(take(lines));
      continue;
    }
    lines.shift();
    if (name === "END") {
      if (value !== component.name) throw new Error(`${component.name} ends as ${value}`);
      return component;
    }
    if (component.properties.has(name)) throw new Error(`${name} stands twice`);
    component.properties.set(name, value);
  }
}

/** The one component of a file; throws for what the grammar does not have. */
export function parse(file: string): Component {
  const lines = linesOf(file);
  const component = take(lines);
  if (lines.length > 0) throw new Error(`more stands after the end: ${lines[0]}`);
  return component;
}

/** The text that a value of the type TEXT stands for. */
export function textOf(value: string): string {
  if (/(?<!\\)(?:\\\\)*[;,]/.test(value)) throw new Error(`not escaped: ${value}`);
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === "n" ? "\n" : sign));
}
