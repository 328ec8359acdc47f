import { useState } from "react";
import { account } from "@/copy/account";
import { SignUpRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import type { FieldProps } from "@/ui/Field";
import { Field } from "@/ui/Field";
import css from "./PasswordField.module.css";
import { strength } from "./strength";

const words = account.create;

/** Shows what was typed, for those who cannot type blind, and how hard it is to guess. */
export function PasswordField({ typed, ...rest }: Omit<FieldProps, "label"> & { typed: string }) {
  const [shown, show] = useState(false);
  const eye = (
    <button
      type="button"
      aria-label={shown ? words.hidePassword : words.showPassword}
      onClick={() => show(!shown)}
    >
      {shown ? words.hide : words.show}
    </button>
  );
  const hint = (
    <>
      <span className={css.strength} aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <i key={bar} className={strength(typed) >= bar ? css.reached : undefined} />
        ))}
      </span>
      {words.passwordHint(RULES.password.minLen)}
    </>
  );
  return (
    <Field
      {...rest}
      label={words.password}
      type={shown ? "text" : "password"}
      autoComplete="new-password"
      hint={hint}
      after={eye}
    />
  );
}
