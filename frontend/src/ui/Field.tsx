import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { classes } from "./classes";
import css from "./Field.module.css";
import { Icon } from "./Icon";

interface FrameProps {
  label: ReactNode;
  /** One quiet line under the control: what is asked, before anything is wrong. */
  hint?: ReactNode;
  /** What is wrong; the control is then marked invalid. */
  error?: string | undefined;
}

/** Label above, error and hint below; hands the control its ids. */
function Frame({
  label,
  hint,
  error,
  required,
  children,
}: FrameProps & {
  required: boolean | undefined;
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
}) {
  const id = useId();
  const ids = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className={css.field}>
      <label htmlFor={id} className={required ? css.required : undefined}>
        {label}
      </label>
      {children({ id, describedBy: ids || undefined })}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** An error with its icon: never colour alone. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={css.error} id={id}>
      <Icon name="alert" />
      {children}
    </p>
  );
}

/** One quiet line about a control that is not a Field. */
export function FieldHint({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={css.hint} id={id}>
      {children}
    </p>
  );
}

/** Two short fields side by side; their boxes stand level whatever is said below them. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}

export type FieldProps = FrameProps & Omit<ComponentProps<"input">, "id"> & { after?: ReactNode };

/** A one-line text field. `after` stands inside its right edge (a button that shows the password). */
export function Field({ label, hint, error, className, after, ...rest }: FieldProps) {
  return (
    <Frame label={label} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy }) => {
        const input = (
          <input
            {...rest}
            id={id}
            className={classes(css.input, className)}
            aria-invalid={error ? true : undefined}
            aria-describedby={describedBy}
          />
        );
        return after ? (
          <div className={css.with}>
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

export type TextAreaProps = FrameProps & Omit<ComponentProps<"textarea">, "id">;

/** A text of several lines. */
export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  return (
    <Frame label={label} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy }) => (
        <textarea
          {...rest}
          id={id}
          className={classes(css.input, css.area, className)}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        />
      )}
    </Frame>
  );
}

/** The native select itself, for a question that has its label elsewhere. */
export function SelectBox({ className, ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={classes(css.select, className)} />;
}

export type SelectProps = FrameProps & Omit<ComponentProps<"select">, "id">;

/** A native select; give it options as children. */
export function Select({ label, hint, error, className, ...rest }: SelectProps) {
  return (
    <Frame label={label} hint={hint} error={error} required={rest.required}>
      {({ id, describedBy }) => (
        <SelectBox
          {...rest}
          id={id}
          className={className}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        />
      )}
    </Frame>
  );
}
