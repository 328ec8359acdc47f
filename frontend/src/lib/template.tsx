import type { ReactNode } from "react";
import { createContext, useContext } from "react";
import { formatCount } from "./format";

/**
 * Pages that show content are written by the build as templates, which the gateway fills (Go's html/template): the
 * component is rendered with an answer whose texts stand for fields, and what an answer decides (a list, an optional
 * part, a number in words) is said with these three. Outside of that they are the plain value, list or part.
 *
 * A field or action stands in the markup as letters and digits, which nothing on the way escapes.
 */
const BEGIN = "SereinAction";
const END = "NoitcaNieres";

/** An action of the gateway's template, as it stands in the markup until `filledIn` writes it out. */
export const actionToken = (action: string): string =>
  BEGIN +
  Array.from(new TextEncoder().encode(action), (byte) => byte.toString(16).padStart(2, "0")).join("") +
  END;

const text = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/** The markup with its actions in their own words. */
export const withActions = (markup: string): string =>
  markup.replaceAll(new RegExp(`${BEGIN}([0-9a-f]*)${END}`, "g"), (_, hex: string) => `{{${text(hex)}}}`);

const Writing = createContext(false);
/** Around a page that is written as a template. */
export const TemplateWriting = Writing.Provider;

/** `fill(action, value)`: the value; in a template what the gateway computes in its place. */
export function useFill(): (action: string, value: string) => string {
  const writing = useContext(Writing);
  return (action, value) => (writing ? actionToken(action) : value);
}

/** `count(action, n, one, many)`: "1 article", "7 articles"; in a template the gateway counts. */
export function useCount(): (action: string, n: number, one: string, many: string) => string {
  const fill = useFill();
  return (action, n, one, many) => fill(`count (${action}) "${one}" "${many}"`, formatCount(n, one, many));
}

/** The name of an item's first category, which an editor's mistake may leave out. */
export const FIRST_CATEGORY = "with .Categories}}{{(index . 0).Name}}{{end";

export const FIRST_CATEGORY_OF_CARD = "with .Card.Categories}}{{(index . 0).Name}}{{end";

/** Something that an answer decides. */
export interface Condition {
  is: boolean;
  /** The same as a condition of the template: ".Whole". */
  test: string;
}

/** Where no answer decides. */
export const ALWAYS: Condition = { is: true, test: "true" };

export const not = ({ is, test }: Condition): Condition => ({ is: !is, test: `not ${test}` });

/** A part that an answer may leave out. */
export function When({ is, test, children }: Condition & { children: ReactNode }) {
  const writing = useContext(Writing);
  if (!writing && !is) return null;
  return (
    <>
      {writing ? actionToken(`if ${test}`) : null}
      {children}
      {writing ? actionToken("end") : null}
    </>
  );
}

interface EachProps<T> {
  of: readonly T[];
  /** The field of the answer that holds them: ".Articles". */
  list: string;
  /** Those before this one stand elsewhere. `list` leaves them out too: "slice .Articles 1". */
  from?: number;
  children: (item: T, index: number) => ReactNode;
}

/** A list of an answer. In a template there is one element of it, whose fields are named from the element. */
export function Each<T>({ of, list, from = 0, children }: EachProps<T>) {
  const writing = useContext(Writing);
  return (
    <>
      {writing ? actionToken(`range ${list}`) : null}
      {(writing ? of.slice(0, 1) : of.slice(from)).map((item, i) => children(item, i))}
      {writing ? actionToken("end") : null}
    </>
  );
}
