import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { classes } from "./classes";
import { Icon } from "./Icon";

interface FrameProps {
  label: ReactNode;
  /** One quiet line under the control. */
  hint?: ReactNode;
  /** What is wrong; the control is then marked invalid. */
  error?: string | undefined;
}

/** Label above, hint and error below; hands the control its ids. */
function Frame({
  label,
  hint,
  error,
  children,
}: FrameProps & { children: (ids: { id: string; describedBy: string | undefined }) => ReactNode }) {
  const id = useId();
  const ids = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy: ids || undefined })}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** An error with its icon: never colour alone. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="field__error" id={id}>
      <Icon name="alert" />
      {children}
    </p>
  );
}

export type FieldProps = FrameProps & Omit<ComponentProps<"input">, "id"> & { after?: ReactNode };

/** A one-line text field. `after` stands inside its right edge (a button that shows the password). */
export function Field({ label, hint, error, className, after, ...rest }: FieldProps) {
  return (
    <Frame label={label} hint={hint} error={error}>
      {({ id, describedBy }) => {
        const input = (
          <input
            {...rest}
            id={id}
            className={classes("input", className)}
            aria-invalid={error ? true : undefined}
            aria-describedby={describedBy}
          />
        );
        return after ? (
          <div className="field__with">
            {input}
            {after}
          </div>
        ) : (
          input
        );
      }}
    </Frame>
  );
}

export type SelectProps = FrameProps & Omit<ComponentProps<"select">, "id">;

/** A native select; give it options as children. */
export function Select({ label, hint, error, className, ...rest }: SelectProps) {
  return (
    <Frame label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <select
          {...rest}
          id={id}
          className={classes("select", className)}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        />
      )}
    </Frame>
  );
}
