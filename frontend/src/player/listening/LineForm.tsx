import type { FormEvent, KeyboardEvent } from "react";
import { useState } from "react";
import { diary as words } from "@/copy/diary";
import { CHANGE_LINE, lineFault } from "@/data/diary";
import { useWrite } from "@/data/mutation";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { ErrorNote } from "@/ui/States";
import css from "./LineForm.module.css";

interface LineFormProps {
  /** The entry's. */
  id: string;
  line: string;
  /** There must be a line. */
  needed?: boolean;
  label: string;
  /** What leaves the line as it was. */
  cancel: string;
  onClose: (saved: boolean) => void;
}

/** The line of an entry. Escape leaves it as it was. */
export function LineForm({ id, line: before, needed = false, label, cancel, onClose }: LineFormProps) {
  const { send, pending, trouble } = useWrite(CHANGE_LINE);
  const [line, setLine] = useState(before);
  const [fault, setFault] = useState<string | undefined>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = lineFault(line, needed);
    setFault(wrong);
    if (wrong) return;
    const { answer } = await send({ id, line: line.trim() });
    if (answer) onClose(true);
  };
  const leave = () => (pending ? undefined : onClose(false));
  const onKeyDown = ({ key }: KeyboardEvent) => (key === "Escape" ? leave() : undefined);
  return (
    <form className={css.form} noValidate onSubmit={(event) => void save(event)}>
      <Field
        label={label}
        hint={words.lineHint}
        error={fault}
        value={line}
        autoComplete="off"
        readOnly={pending}
        // The press that opened the form asked for it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onKeyDown={onKeyDown}
        onChange={(event) => setLine(event.target.value)}
      />
      {trouble ? <ErrorNote message={words.failed(trouble.message)} /> : null}
      <p className={css.acts}>
        <Button look="primary" small type="submit" pending={pending}>
          {words.save}
        </Button>
        <Button look="quiet" small onClick={leave}>
          {cancel}
        </Button>
      </p>
    </form>
  );
}
