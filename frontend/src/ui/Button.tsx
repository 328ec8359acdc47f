import type { ComponentProps, MouseEvent, ReactNode } from "react";
import type { LinkProps } from "@/lib/router";
import { Link } from "@/lib/router";
import { classes } from "./classes";
import type { IconName } from "./Icon";
import { Icon } from "./Icon";
import css from "./Button.module.css";

export type Look = "primary" | "line" | "tint" | "quiet" | "danger";

interface Shape {
  look?: Look;
  /** 44 px high instead of 48. */
  small?: boolean;
  /** As wide as its container. */
  wide?: boolean;
}

const shape = ({ look = "line", small, wide }: Shape, more?: string) =>
  classes(css.btn, css[look], small && css.small, wide && css.wide, more);

export interface ButtonProps extends Shape, ComponentProps<"button"> {
  /** The action is running: the button stays in place, keeps focus and does nothing. */
  pending?: boolean;
  /** Not possible now. It stays focusable, so that its reason can be read; give the reason by aria-describedby. */
  unavailable?: boolean;
  /** Pressed all the same, by Enter in its form too. */
  onUnavailable?: () => void;
}

/** An action. A button is type="button" unless it says "submit". */
export function Button({
  look,
  small,
  wide,
  pending,
  unavailable,
  onUnavailable,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  const off = pending || unavailable;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!off) return onClick?.(event);
    event.preventDefault();
    if (!pending) onUnavailable?.();
  };
  return (
    <button
      type="button"
      aria-busy={pending || undefined}
      {...rest}
      className={shape({ ...(look && { look }), ...(small && { small }), ...(wide && { wide }) }, className)}
      aria-disabled={off || undefined}
      onClick={press}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ look, small, wide, className, ...rest }: Shape & LinkProps) {
  const props = { ...(look && { look }), ...(small && { small }), ...(wide && { wide }) };
  return <Link {...rest} className={shape(props, className)} />;
}

/** A round 44 px button whose name is its label. `pressed` makes it a toggle. */
export function IconButton({
  icon,
  label,
  pressed,
  className,
  ...rest
}: { icon: IconName; label: string; pressed?: boolean } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      {...rest}
      aria-label={label}
      className={classes(css.icon, className)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Words that lead on, with an arrow: part of a card whose title is the link. */
export function GoWords({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <span className={classes(css.go, className)}>
      <GoInside>{children}</GoInside>
    </span>
  );
}

/** The same as a link to a place on the page. */
export function GoAnchor({ children, href }: { children: ReactNode; href: string }) {
  return (
    <a className={css.go} href={href}>
      <GoInside>{children}</GoInside>
    </a>
  );
}

function GoInside({ children }: { children: ReactNode }) {
  return (
    <>
      <span>{children}</span>
      <Icon name="arrow" />
    </>
  );
}
