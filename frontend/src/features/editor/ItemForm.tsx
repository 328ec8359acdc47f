import type { FormEvent } from "react";
import { useEffect, useRef } from "react";
import { editor as copy } from "@/copy/editor";
import type { ContentType, Field as Definition } from "@/gen/serein/web/v1/editor_pb";
import { Button } from "@/ui/Button";
import { ErrorNote, Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { FieldControl } from "./FieldControl";
import type { Edits, Shown } from "./fields";
import { jsonOf, shown, valueOf } from "./fields";
import css from "./ItemForm.module.css";
import { OwnPreview } from "./Preview";
import type { OpenItem } from "./useItem";

/** Brings the first faulty field to the focus, once its words stand there. */
export function useFocusOnFault(faults: Record<string, string>) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    // Typing takes a fault away; the focus is then where somebody types.
    if (
      form.current?.contains(document.activeElement) &&
      document.activeElement?.matches("input, textarea, select")
    )
      return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faulty]')?.focus();
  }, [faults]);
  return form;
}

interface FieldsProps {
  fields: readonly Definition[];
  types: readonly ContentType[];
  valueOfField: (field: Definition) => Shown;
  faults: Record<string, string>;
  onChange: (field: Definition, now: Shown) => void;
  /** What somebody else has saved meanwhile. */
  open?: OpenItem;
}

/** The form that the fields of a content type make. */
export function Fields({ fields, types, valueOfField, faults, onChange, open }: FieldsProps) {
  return fields.map((field) => (
    <div key={field.id} className={css.field}>
      <FieldControl
        field={field}
        value={valueOfField(field)}
        error={faults[field.id]}
        types={types}
        onChange={(now) => onChange(field, now)}
      />
      {open ? <OwnPreview field={field} item={open.item} /> : null}
      {open ? <Theirs open={open} field={field} /> : null}
    </div>
  ));
}

const shownIn = (open: OpenItem, edits: Edits, field: Definition): Shown =>
  edits[field.id]?.now ?? shown(field, valueOf(open.item, field.id));

function Theirs({ open, field }: { open: OpenItem; field: Definition }) {
  if (!open.conflict?.fields.includes(field.id)) return null;
  const value = valueOf(open.item, field.id);
  const words = typeof value === "string" ? value : jsonOf(value);
  return (
    <div className={css.theirs}>
      <p>{copy.theirs(words || copy.nothingWritten)}</p>
      <TextButton onClick={() => open.takeTheirs(field.id)}>{copy.takeTheirs(field.name)}</TextButton>
    </div>
  );
}

function ConflictNote({ open, fields }: { open: OpenItem; fields: readonly Definition[] }) {
  if (!open.conflict) return null;
  const names = fields.filter((f) => open.conflict?.fields.includes(f.id)).map((f) => f.name);
  return (
    <Note tone="brass" icon="alert" role="status">
      {copy.conflict(open.conflict.version)} {names.length > 0 ? copy.conflictFields(names) : ""}
    </Note>
  );
}

interface ItemFormProps {
  open: OpenItem;
  fields: readonly Definition[];
  types: readonly ContentType[];
}

export function ItemForm({ open, fields, types }: ItemFormProps) {
  const { edits, faults, trouble, dirty, pending, item } = open;
  const form = useFocusOnFault(faults);
  const wrong = Object.keys(faults).length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && !pending) void open.save();
  };
  return (
    <form
      className={css.form}
      ref={form}
      aria-label={item.title || copy.untitled}
      noValidate
      onSubmit={submit}
    >
      <ConflictNote open={open} fields={fields} />
      <Fields
        fields={fields}
        types={types}
        valueOfField={(field) => shownIn(open, edits, field)}
        faults={faults}
        onChange={open.change}
        open={open}
      />
      {trouble ? <ErrorNote message={trouble.message} /> : null}
      {wrong > 0 ? <ErrorNote message={copy.faults(wrong)} /> : null}
      <div className={css.acts}>
        <Button
          look="primary"
          type="submit"
          pending={pending}
          unavailable={!dirty || item.archived}
          aria-describedby="saved"
        >
          {copy.save}
        </Button>
        {dirty ? (
          <Button look="quiet" onClick={open.drop}>
            {copy.drop}
          </Button>
        ) : null}
        <span className="small muted" id="saved">
          {dirty ? copy.unsaved : copy.allSaved}
        </span>
      </div>
    </form>
  );
}
