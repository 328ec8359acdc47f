import { Note } from "../States";
import { TextButton } from "../TextButton";
import css from "./ErrorSummary.module.css";

/** A fault in a form: where, by its label, and the way there. */
export interface FormFault {
  label: string;
  focus: () => void;
}

/** Which answers need another look, each a way to it. One fault needs no list: the focus is there already. */
export function ErrorSummary({ title, faults }: { title: string; faults: readonly FormFault[] }) {
  if (faults.length < 2) return null;
  return (
    <Note tone="danger">
      {title}
      <ul className={css.list}>
        {faults.map(({ label, focus }) => (
          <li key={label}>
            <TextButton className={css.fault} onClick={focus}>
              {label}
            </TextButton>
          </li>
        ))}
      </ul>
    </Note>
  );
}
