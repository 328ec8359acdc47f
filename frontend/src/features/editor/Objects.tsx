import type { JsonObject } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { MouseEvent, PointerEvent, RefObject } from "react";
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { editor as copy } from "@/copy/editor";
import type { Field as Definition } from "@/gen/serein/web/v1/editor_pb";
import { FieldSchema } from "@/gen/serein/web/v1/editor_pb";
import { Button, IconButton } from "@/ui/Button";
import { Field, FieldError, FieldHint, TextArea } from "@/ui/Field";
import { Icon } from "@/ui/Icon";
import type { ControlProps } from "./FieldControl";
import { identifies, linkedTypes, listed, moved, objectsIn, objectsOf } from "./fields";
import { Links } from "./Links";
import css from "./Objects.module.css";

const words = copy.objects;

const textOf = (object: JsonObject, part: Definition): string => {
  const value = object[part.id];
  return typeof value === "string" ? value : "";
};

/** A text of this length or more is written in several lines. */
const LONG = 120;

/** The longest text that a property may hold, as its rules say. */
const longest = (part: Definition): number =>
  Math.max(
    0,
    ...part.validations.map((rule) => {
      const { size } = rule as { size?: { max?: number } };
      return size?.max ?? 0;
    }),
  );

interface PartProps extends Pick<ControlProps, "types"> {
  part: Definition;
  object: JsonObject;
  onText: (text: string) => void;
  fixed: boolean;
}

/** One property of an object: a text, or what it leads to. */
function Part({ part, object, onText, fixed, types }: PartProps) {
  const value = textOf(object, part);
  if (linkedTypes(part).length > 0)
    return (
      <Links
        field={create(FieldSchema, { ...part, type: "Link", linkType: "Entry", disabled: fixed })}
        links={value ? [{ id: value, asset: false }] : []}
        onChange={([link]) => onText(link?.id ?? "")}
        error={undefined}
        types={types}
      />
    );
  const shared = { label: part.name, value, required: part.required, readOnly: fixed };
  return longest(part) >= LONG ? (
    <TextArea {...shared} rows={3} onChange={(event) => onText(event.target.value)} />
  ) : (
    <Field {...shared} autoComplete="off" onChange={(event) => onText(event.target.value)} />
  );
}

/** The place in the list that a pointer is at: that of the row under it. */
function placeAt(list: HTMLElement, y: number): number {
  const rows = [...list.children].map((row) => row.getBoundingClientRect());
  const below = rows.findIndex(({ bottom }) => y < bottom);
  return below < 0 ? rows.length - 1 : below;
}

/** Moves a row along with the pointer that holds its handle. The window hears the pointer: a row that moves in the page loses it. */
function useDrag(list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void) {
  const [held, hold] = useState<number | null>(null);
  const drag = useEffectEvent((event: globalThis.PointerEvent) => {
    if (held === null || !list.current) return;
    const to = placeAt(list.current, event.clientY);
    if (to === held) return;
    move(held, to);
    hold(to);
  });
  const holds = held !== null;
  useEffect(() => {
    if (!holds) return undefined;
    const end = () => hold(null);
    const follow = (event: globalThis.PointerEvent) => drag(event);
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    return () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
  }, [holds]);
  const grasp = (at: number) => (event: PointerEvent) => {
    event.preventDefault(); // no text is selected on the way
    hold(at);
  };
  return { held, grasp };
}

/** Keeps the focus on the button that was pressed: a row that moves in the page loses it. */
function useKeptFocus() {
  const pressed = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  });
  return (event: MouseEvent<HTMLElement>) => {
    pressed.current = event.currentTarget;
  };
}

/**
 * A list of objects, each with an id that stays when the object moves. Rows are moved by buttons, and by a pointer on their
 * handle; a new row gets an id that nothing has had.
 */
export function Objects({ field, value, onChange, error, types }: ControlProps) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState("");
  const [fresh, setFresh] = useState("");
  const parts = objectsOf(field);
  const key = parts.find(identifies);
  const shown = parts.filter((part) => part !== key);
  const [naming] = shown;
  const objects = objectsIn(String(value));
  const put = (next: readonly JsonObject[]) => onChange(listed(next));
  const titleOf = (object: JsonObject) => (naming ? textOf(object, naming) : "");
  const move = (from: number, to: number) => {
    const one = objects[from];
    if (!one || to < 0 || to >= objects.length) return;
    put(moved(objects, from, to));
    say(words.at(titleOf(one), to + 1, objects.length));
  };
  const drag = useDrag(list, move);
  const keepFocus = useKeptFocus();
  const step = (event: MouseEvent<HTMLElement>, from: number, to: number) => {
    keepFocus(event);
    move(from, to);
  };
  if (!key) return null;
  const write = (at: number, part: Definition, text: string) => {
    const { [part.id]: _, ...others } = objects[at] ?? {};
    put(objects.with(at, text ? { ...others, [part.id]: text } : others));
  };
  const add = () => {
    const name = `n${crypto.randomUUID().slice(0, 8)}`;
    setFresh(name);
    put([...objects, { [key.id]: name }]);
  };
  return (
    <div
      className={css.field}
      role="group"
      aria-labelledby={id}
      aria-describedby={error ? `${id}-e` : undefined}
    >
      <p className={css.label} id={id}>
        {field.name}
      </p>
      {objects.length > 0 ? (
        <ol className={css.list} ref={list}>
          {objects.map((object, at) => {
            const title = titleOf(object);
            const name = textOf(object, key);
            return (
              <li key={name || at} className={css.row} data-held={drag.held === at || undefined}>
                {field.disabled ? null : (
                  <span
                    className={css.handle}
                    aria-hidden="true"
                    title={words.drag(title)}
                    onPointerDown={drag.grasp(at)}
                  >
                    <Icon name="menu" />
                  </span>
                )}
                <details className={css.details} open={name === fresh || undefined}>
                  <summary>{words.numbered(at + 1, title)}</summary>
                  <div className={css.parts}>
                    {shown.map((part) => (
                      <Part
                        key={part.id}
                        part={part}
                        object={object}
                        onText={(text) => write(at, part, text)}
                        fixed={field.disabled}
                        types={types}
                      />
                    ))}
                  </div>
                </details>
                {field.disabled ? null : (
                  <span className={css.acts}>
                    <IconButton
                      icon="up"
                      label={words.up(title)}
                      aria-disabled={at === 0 || undefined}
                      onClick={(event) => step(event, at, at - 1)}
                    />
                    <IconButton
                      icon="down"
                      label={words.down(title)}
                      aria-disabled={at === objects.length - 1 || undefined}
                      onClick={(event) => step(event, at, at + 1)}
                    />
                    <IconButton
                      icon="close"
                      label={words.remove(title)}
                      onClick={() => put(objects.filter((_, i) => i !== at))}
                    />
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      ) : null}
      <span role="status" className="sr">
        {said}
      </span>
      {field.disabled ? (
        <FieldHint>{copy.readOnly}</FieldHint>
      ) : (
        <Button small data-faulty={error ? "" : undefined} onClick={add}>
          <Icon name="plus" />
          {words.add(field.name)}
        </Button>
      )}
      {error ? <FieldError id={`${id}-e`}>{error}</FieldError> : null}
    </div>
  );
}
