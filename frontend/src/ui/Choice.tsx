import type { ComponentProps, CSSProperties, ReactNode } from "react";
import { useId } from "react";
import { classes } from "./classes";
import css from "./Choice.module.css";

interface SegmentedProps<T extends string> {
  /** The group's name for screen readers. */
  label: string;
  options: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
  /** Spread over the whole width. */
  fill?: boolean;
  className?: string | undefined;
}

/** A few exclusive choices side by side: native radios in a well. */
export function Segmented<T extends string>({
  label,
  options,
  value,
  onChange,
  fill,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <div className={classes(css.segmented, fill && css.fill, className)} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

/** One of several choices as a pill. type="radio" with a shared name for exclusive ones. */
export function Chip({ children, type = "checkbox", ...rest }: ComponentProps<"input">) {
  return (
    <label className={css.chip}>
      <input type={type} {...rest} />
      {children}
    </label>
  );
}

/** On or off, at once. The label stands beside it. */
export function Switch({ children, ...rest }: ComponentProps<"input">) {
  return (
    <label className={css.switch}>
      {/* A native checkbox tells its state itself. */}
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props */}
      <input type="checkbox" role="switch" {...rest} />
      <span>{children}</span>
    </label>
  );
}

/** Something to agree to. Unlike a switch it is sent with its form. */
export function Tick({ children, ...rest }: ComponentProps<"input">) {
  return (
    <label className={css.tick}>
      <input type="checkbox" {...rest} />
      <span>{children}</span>
    </label>
  );
}

type RangeProps = Omit<ComponentProps<"input">, "value" | "min" | "max" | "type"> & {
  value: number;
  min: number;
  max: number;
  /** The value in words ("Reset, about 5 minutes"), for aria-valuetext. */
  valueText?: string;
};

/** A styled native range: keys, touch and screen readers as the browser makes them. */
export function Range({ value, min, max, valueText, className, style, ...rest }: RangeProps) {
  const share = max > min ? ((value - min) / (max - min)) * 100 : 0;
  const filled: CSSProperties & Record<"--v", string> = { ...style, "--v": `${share}%` };
  return (
    <input
      {...rest}
      type="range"
      className={classes(css.range, className)}
      min={min}
      max={max}
      value={value}
      aria-valuetext={valueText}
      style={filled}
    />
  );
}
