import type { LinkProps } from "@/lib/router";
import { NavLink } from "@/lib/router";
import { warm } from "./warm";

/** A link of the shell: says where one is (aria-current) and warms its page. */
export function PageLink({ to, ...rest }: LinkProps) {
  const ready = () => warm(to);
  return (
    <NavLink to={to} end={to === "/"} onMouseEnter={ready} onFocus={ready} onTouchStart={ready} {...rest} />
  );
}
