import { editor as copy } from "@/copy/editor";
import type { ContentType, Field as Definition } from "@/gen/serein/web/v1/editor_pb";
import { Switch } from "@/ui/Choice";
import { Field, FieldError, FieldHint, Select, TextArea } from "@/ui/Field";
import css from "./FieldControl.module.css";
import type { LinkRef, Parts, Shown } from "./fields";
import { controlOf, optionsOf, partsOf } from "./fields";
import { Links } from "./Links";
import { Objects } from "./Objects";
import { Preview } from "./Preview";

export interface ControlProps {
  field: Definition;
  value: Shown;
  onChange: (value: Shown) => void;
  error: string | undefined;
  types: readonly ContentType[];
}

const LINES = { text: 10, lines: 4, json: 8 };

function OnOff({ field, value, onChange, error }: ControlProps) {
  return (
    <div>
      <Switch
        checked={value === true}
        disabled={field.disabled}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.checked)}
      >
        {field.name}
      </Switch>
      {error ? <FieldError>{error}</FieldError> : null}
      {field.disabled ? <FieldHint>{copy.readOnly}</FieldHint> : null}
    </div>
  );
}

const INPUTS = {
  line: {},
  whole: { inputMode: "numeric" },
  number: { inputMode: "decimal" },
  money: { inputMode: "decimal", hint: copy.moneyHint },
  date: { type: "date" },
} as const;

/** An object by its properties, each in its control. */
function Several({ field, value, onChange, error, types }: ControlProps) {
  const parts = value as Parts;
  return (
    <fieldset className={css.parts}>
      <legend>{field.name}</legend>
      {partsOf(field).map((part) => (
        <FieldControl
          key={part.id}
          field={Object.assign(part, { disabled: field.disabled, required: false })}
          value={parts[part.id] ?? ""}
          onChange={(text) => onChange({ ...parts, [part.id]: String(text) })}
          error={undefined}
          types={types}
        />
      ))}
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}

const isPlainDate = (text: string): boolean => text === "" || /^\d{4}-\d{2}-\d{2}$/.test(text);

/** One field of an entry, by its type. */
export function FieldControl(props: ControlProps) {
  const { field, value, onChange, error, types } = props;
  const control = controlOf(field);
  if (control === "switch") return <OnOff {...props} />;
  if (control === "parts") return <Several {...props} />;
  if (control === "objects") return <Objects {...props} />;
  if (control === "link" || control === "links")
    return (
      <Links
        field={field}
        links={value as readonly LinkRef[]}
        onChange={onChange}
        error={error}
        types={types}
      />
    );
  const text = String(value);
  const shared = {
    label: field.name,
    value: text,
    required: field.required,
    error,
    ...(field.disabled && { hint: copy.readOnly }),
  };
  if (control === "select")
    return (
      <Select {...shared} disabled={field.disabled} onChange={(event) => onChange(event.target.value)}>
        <option value="">{copy.choose}</option>
        {optionsOf(field).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Select>
    );
  if (control === "text" || control === "lines" || control === "json")
    return (
      <div className={css.several}>
        <TextArea
          {...shared}
          rows={LINES[control]}
          readOnly={field.disabled}
          spellCheck={control !== "json"}
          className={control === "json" ? css.code : undefined}
          {...(!field.disabled && control === "lines" && { hint: copy.linesHint })}
          {...(!field.disabled && control === "json" && { hint: copy.jsonHint })}
          onChange={(event) => onChange(event.target.value)}
        />
        {text.trim() && field.type !== "RichText" ? <Preview field={field} text={text} /> : null}
      </div>
    );
  const kind = control === "date" && !isPlainDate(text) ? INPUTS.line : INPUTS[control];
  return (
    <Field
      {...shared}
      {...kind}
      readOnly={field.disabled}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
