import { useState } from "react";
import { passwords as words } from "@/copy/passwords";
import type { FieldProps } from "../Field";
import { Field } from "../Field";
import css from "./PasswordField.module.css";
import { strength } from "./strength";

type PasswordFieldProps = Omit<FieldProps, "type" | "after">;

/** Takes a password, and shows what was typed for those who cannot type blind. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, show] = useState(false);
  const eye = (
    <button type="button" aria-label={shown ? words.hideLabel : words.showLabel} onClick={() => show(!shown)}>
      {shown ? words.hide : words.show}
    </button>
  );
  return <Field {...props} type={shown ? "text" : "password"} after={eye} />;
}

interface NewPasswordFieldProps extends PasswordFieldProps {
  /** What is typed now. */
  typed: string;
  /** The least number of characters. */
  min: number;
}

/** The same for a password that is chosen: says what is asked, and how hard it is to guess so far. */
export function NewPasswordField({ typed, min, ...rest }: NewPasswordFieldProps) {
  const hint = (
    <>
      <span className={css.strength} aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <i key={bar} className={strength(typed) >= bar ? css.reached : undefined} />
        ))}
      </span>
      {words.hint(min)}
    </>
  );
  return <PasswordField {...rest} autoComplete="new-password" hint={hint} />;
}
