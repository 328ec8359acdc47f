import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { consents as words } from "@/copy/consents";
import { Switch } from "@/ui/Choice";
import css from "./Choice.module.css";

interface ChoiceProps extends ComponentProps<"input"> {
  label: string;
  /** Serein cannot be used without it. */
  needed?: boolean;
  /** What it means, in a sentence. */
  children: ReactNode;
}

/** One thing to agree to, with what it means under it. */
export function Choice({ label, needed, children, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div className={css.choice}>
      <Switch {...rest} aria-describedby={id}>
        <b className={css.label}>{label}</b>
        {needed ? <span className={css.needed}> {words.needed}</span> : null}
      </Switch>
      <p className={css.text} id={id}>
        {children}
      </p>
    </div>
  );
}
