import type { DescMessage } from "@bufbuild/protobuf";
import { clean } from "@/lib/clean";
import type { Part, Place, Writer } from "@/lib/template";
import type { Spot, Values } from "./stand-in";
import { elementOf, goName, listOf, standIn } from "./stand-in";
import { TWINS } from "./twins";

/**
 * Writes a page as a template of Go's html/template, and alone knows that language. The page shows an answer whose texts are
 * the actions that print them, and of each message the writer knows where the contract has it. A template's paths are made of
 * that, and named from where the template stands: inside of a list from its element.
 */

/** An action stands in the markup as letters and digits, which nothing on the way escapes. */
const TOKEN = /SereinAction(\d+)NoitcaNieres/g;
const tokenOf = (index: number): string => `SereinAction${index}NoitcaNieres`;

interface Piece {
  /** The action, where the template stands at the message or element of this path. */
  print: (dot: string) => string;
  /** The path of the text that the action prints as it is. */
  path?: string;
  /** Where the template stands behind it, until the piece that closes it. */
  opens?: (dot: string) => string;
  closes?: true;
}

const NAMES: ReadonlyMap<unknown, string> = new Map(Object.entries(TWINS).map(([name, by]) => [by, name]));

/** The name of a function in the template's language. */
function nameOf(by: string | Function): string {
  const name = typeof by === "string" ? by : NAMES.get(by);
  if (!name)
    throw new Error(`the gateway has no twin of ${String(by)}: src/twins.ts lists those that it has`);
  return name;
}

/** The path ".Groups[].Title" as it is named at ".Groups[]": ".Title". */
function named(path: string, dot: string): string {
  const rest = path.slice(dot.length);
  if (!path.startsWith(dot) || rest.includes("[]"))
    throw new Error(`${path} of the answer cannot be named at ${dot || "the answer itself"}`);
  return rest || ".";
}

/** The actions of a template, and where the messages and texts of its answer stand in the contract. */
class Actions {
  readonly #pieces: Piece[] = [];
  readonly #spots = new Map<unknown, Spot>();

  add(piece: Piece): string {
    return tokenOf(this.#pieces.push(piece) - 1);
  }

  note(message: object, spot: Spot): void {
    this.#spots.set(message, spot);
  }

  /** The path of a message, of one of its fields, or of a text of a list. */
  path(of: unknown, key?: string): string {
    if (typeof of === "string") {
      const path = this.#pieces.find((_, i) => tokenOf(i) === of)?.path;
      if (path) return path;
    }
    const spot = this.#spots.get(of);
    if (!spot) throw new Error("a template names what is no part of its page's answer");
    return key ? `${spot.path}.${goName(spot.schema.field[key]?.name ?? "")}` : spot.path;
  }

  list([element]: readonly unknown[] = []): string {
    return listOf(this.path(element));
  }

  /** A place in the template's language, where the template stands at `dot`. */
  print(place: Place, dot: string): string {
    switch (place[0]) {
      case "field":
        return named(this.path(place[1], place[2]), dot);
      case "list":
        return named(this.list(place[1]), dot);
      case "within": {
        const path = this.path(place[1]);
        return `with ${named(path, dot)}}}{{${named(this.path(place[1], place[2]), path)}}}{{end`;
      }
      case "first": {
        const text = named(this.path(place[1][0], place[2]), this.path(place[1][0]));
        return `with ${named(this.list(place[1]), dot)}}}{{(index . 0)${text}}}{{end`;
      }
      case "either": {
        const [yes, no] = [this.#side(place[2], dot), this.#side(place[3], dot)];
        return `if ${this.print(place[1].at, dot)}}}${yes}${no && `{{else}}${no}`}{{end`;
      }
      default: {
        const [by, ...parts] = place;
        return [nameOf(by), ...parts.map((part) => this.#argument(part, dot))].join(" ");
      }
    }
  }

  /** What is a call itself stands in brackets. */
  #argument(part: Part, dot: string): string {
    if (typeof part !== "object") return JSON.stringify(part);
    const text = this.print(part.at, dot);
    return /^\w+ /.test(text) ? `(${text})` : text;
  }

  /** One of two parts, as it stands in the markup. */
  #side(part: Part, dot: string): string {
    if (typeof part === "object") return `{{${this.print(part.at, dot)}}}`;
    if (/[<>&"{]/.test(String(part))) throw new Error(`"${part}" would have to be escaped`);
    return String(part);
  }

  /** The markup with its actions. Errors: one names a field of a message that the template does not stand at. */
  withActions(markup: string): string {
    const dots = [""];
    return markup.replaceAll(TOKEN, (_, index: string) => {
      const dot = dots.at(-1) ?? "";
      const piece = this.#pieces[Number(index)];
      if (piece?.opens) dots.push(piece.opens(dot));
      if (piece?.closes) dots.pop();
      return `{{${piece?.print(dot)}}}`;
    });
  }
}

const writerOf = (actions: Actions): Writer => ({
  write: (place) => actions.add({ print: (dot) => actions.print(place, dot) }),
  range: (list, from, to) => {
    const path = actions.list(list);
    const [slice, bounds] = from || to ? ["slice ", ` ${from}${to ? ` ${to}` : ""}`] : ["", ""];
    return actions.add({
      print: (dot) => `range ${slice}${named(path, dot)}${bounds}`,
      opens: () => elementOf(path),
    });
  },
  when: (test) => actions.add({ print: (dot) => `if ${actions.print(test, dot)}`, opens: (dot) => dot }),
  end: () => actions.add({ print: () => "end", closes: true }),
});

/** What a template is written with whose page shows an answer of this type. */
export function templateOf(schema: DescMessage, values: Values = { flag: true, number: 1 }) {
  const actions = new Actions();
  const answer = standIn(schema, {
    values,
    text: (path, html) =>
      actions.add({ path, print: (dot) => (html ? `${nameOf(clean)} ` : "") + named(path, dot) }),
    note: (message, spot) => actions.note(message, spot),
  });
  return {
    /** What the page shows. */
    answer,
    writer: writerOf(actions),
    /** What a filter of the address is set to: the gateway's own, wherever the page names its address. */
    chosen: actions.add({ print: () => "$.Filter" }),
    withActions: (markup: string) => actions.withActions(markup),
  };
}
