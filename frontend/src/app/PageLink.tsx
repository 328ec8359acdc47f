import type { NavLinkProps } from "react-router";
import { NavLink } from "react-router";
import { warm } from "./warm";

/** A link of the shell: says where one is (aria-current) and warms its page. */
export function PageLink({ to, ...rest }: NavLinkProps & { to: string }) {
  const ready = () => warm(to);
  return (
    <NavLink to={to} end={to === "/"} onMouseEnter={ready} onFocus={ready} onTouchStart={ready} {...rest} />
  );
}
