import { useId } from "react";
import { classes } from "./classes";
import { Icon } from "./Icon";
import css from "./SearchField.module.css";

interface SearchFieldProps {
  /** Its name, and what stands in it while it is empty. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string | undefined;
}

/** Looks through a list as one types. */
export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  const id = useId();
  return (
    <div className={classes(css.search, className)}>
      <Icon name="search" />
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <input
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
