import type { ComponentProps } from "react";
import { useId } from "react";
import { classes } from "./classes";
import { Icon } from "./Icon";
import css from "./SearchField.module.css";

interface SearchFieldProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "type" | "id"> {
  /** Its name, and what stands in it while it is empty. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Of the whole, not of the input. */
  className?: string | undefined;
}

/** Looks through a list as one types. */
export function SearchField({ label, value, onChange, className, ...rest }: SearchFieldProps) {
  const id = useId();
  return (
    <div className={classes(css.search, className)}>
      <Icon name="search" />
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={css.input}
        type="search"
        placeholder={label}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
