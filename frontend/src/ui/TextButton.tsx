import type { ComponentProps, MouseEvent } from "react";
import { classes } from "./classes";
import css from "./TextButton.module.css";

interface TextButtonProps extends ComponentProps<"button"> {
  /** Not possible now. It stays focusable, so that its words can be read. */
  unavailable?: boolean;
}

/** An action inside or under a text, looking like a link. */
export function TextButton({ unavailable, onClick, className, ...rest }: TextButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) =>
    unavailable ? event.preventDefault() : onClick?.(event);
  return (
    <button
      type="button"
      {...rest}
      className={classes(css.text, className)}
      aria-disabled={unavailable || undefined}
      onClick={press}
    />
  );
}
