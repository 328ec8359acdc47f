import type { ReactNode } from "react";
import { createContext, useContext } from "react";

/**
 * Pages that show content are written by the build as templates, which the gateway fills. A component says once what it shows:
 * which field of an answer, which list, and which function makes words of it. In the app that is a value. While the build
 * writes a template it is an action with the path of the field, which the build takes from the contract
 * (src/template-writer.ts); no component holds any of the template's language.
 */

/** Where the gateway finds a value: in a field, a list, or in what a function makes of others. */
export type Place =
  /** A field of a message; without a key the message itself. */
  | readonly ["field", message: object | undefined, key?: string]
  | readonly ["list", list: readonly unknown[] | undefined]
  /** A text of a message that may be left out. */
  | readonly ["within", message: object | undefined, key: string]
  /** A text of the first element of a list. */
  | readonly ["first", list: readonly object[], key: string]
  | readonly ["either", test: Condition, yes: Part, no: Part]
  /** Of the template's language, or the gateway's twin of a function of ours. */
  | readonly ["and" | "or" | "not" | "eq" | "lt" | "len" | "true" | Function, ...parts: readonly Part[]];

/** A value of an answer, and where the gateway finds it. */
export interface Shown<T> {
  is: T;
  at: Place;
}

/** Something that an answer decides. */
export type Condition = Shown<boolean>;

type Plain = string | number;
export type Part = Shown<unknown> | Plain;

/** The name of a field. */
export type Key<M> = Exclude<keyof M & string, "$typeName" | "$unknown">;

/** A field of a message; of a message that an answer may leave out, with what it is then. */
export function field<M extends object, K extends Key<M>>(message: M, key: K): Shown<M[K]>;
export function field<M extends object, K extends Key<M>>(
  message: M | undefined,
  key: K,
  otherwise: M[K],
): Shown<M[K]>;
export function field<M extends object, K extends Key<M>>(
  message: M | undefined,
  key: K,
  otherwise?: M[K],
): Shown<M[K] | undefined> {
  return { is: message ? message[key] : otherwise, at: ["field", message, key] };
}

/** Whether a field holds something: a text, a number other than 0, a message, an element, or "yes". */
export function has<M extends object>(message: M | undefined, key: Key<M>): Condition {
  const is: unknown = message?.[key];
  return { is: Array.isArray(is) ? is.length > 0 : Boolean(is), at: ["field", message, key] };
}

/** Whether the answer has a message that it may leave out. */
export const there = (message: object | undefined): Condition => ({
  is: Boolean(message),
  at: ["field", message],
});

/** Whether a list has an element; false also of one that is not there yet. */
export const some = (list: readonly unknown[] | undefined): Condition => ({
  is: Boolean(list?.length),
  at: ["list", list],
});

/** Whether a list is there and has no element. */
export const none = (list: readonly unknown[] | undefined): Condition => ({
  ...not(some(list)),
  is: list?.length === 0,
});

export const size = (list: readonly unknown[]): Shown<number> => ({
  is: list.length,
  at: ["len", some(list)],
});

/** Where no answer decides. */
export const ALWAYS: Condition = { is: true, at: ["true"] };

export const not = (one: Condition): Condition => ({ is: !one.is, at: ["not", one] });

export const and = (...all: readonly Condition[]): Condition => ({
  is: all.every(({ is }) => is),
  at: ["and", ...all],
});

export const or = (...all: readonly Condition[]): Condition => ({
  is: all.some(({ is }) => is),
  at: ["or", ...all],
});

/** What a part is in the app. */
export const valueOf = (part: Part): unknown => (typeof part === "object" ? part.is : part);

/** What a function makes of fields and texts: one of src/twins.ts, which the gateway has too. */
export const made = <A extends readonly unknown[], T>(
  by: (...args: A) => T,
  ...parts: { [I in keyof A]: Shown<A[I]> | Extract<A[I], Plain> }
): Shown<T> => ({ is: by(...(parts.map(valueOf) as unknown as A)), at: [by, ...(parts as readonly Part[])] });

/** A text of the first element of a list; "" of an empty list. */
export const ofFirst = <M extends object>(list: readonly M[], key: Key<M>): Shown<unknown> => ({
  is: list[0]?.[key] ?? "",
  at: ["first", list, key],
});

/** What the build writes a template with: actions, as they stand in the markup. Errors: a place that is none of the page's answer. */
export interface Writer {
  write: (place: Place) => string;
  /** Each element of a list, from `from` to before `to`. */
  range: (list: readonly unknown[], from: number, to: number | undefined) => string;
  when: (test: Place) => string;
  end: () => string;
}

const Writing = createContext<Writer | null>(null);
/** Around a page that is written as a template. */
export const TemplateWriting = Writing.Provider;

/** `fill(shown)`: the value as a text; in a template the action that prints it. */
export function useFill(): (shown: Shown<unknown>) => string {
  const writer = useContext(Writing);
  return ({ is, at }) => (writer ? writer.write(at) : String(is));
}

/** A part that an answer may leave out. */
export function When({ is, at, children }: Condition & { children: ReactNode }) {
  const writer = useContext(Writing);
  if (!writer && !is) return null;
  return (
    <>
      {writer?.when(at)}
      {children}
      {writer?.end()}
    </>
  );
}

interface EachProps<T> {
  of: readonly T[];
  /** Those before this one, and from `to` on, stand elsewhere. */
  from?: number;
  to?: number;
  children: (item: T, index: number) => ReactNode;
}

/** A list of an answer. In a template there is one element of it, which stands for each. */
export function Each<T>({ of, from = 0, to, children }: EachProps<T>) {
  const writer = useContext(Writing);
  return (
    <>
      {writer?.range(of, from, to)}
      {(writer ? of.slice(0, 1) : of.slice(from, to)).map((item, i) => children(item, i))}
      {writer?.end()}
    </>
  );
}
