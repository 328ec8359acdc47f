import { shell } from "@/copy/shell";
import type { Session } from "@/lib/boot";
import { paths } from "@/lib/paths";

/** Pure rules of who sees what. */

/**
 * Who may open a page; everyone else is led home. A subscriber is a member whose plan has the entitlement now, or an
 * admin.
 * The gateway guards page and data itself: this is so that a link inside the app does the same.
 */
export type Access = "everyone" | "member" | "admin" | { subscriber: string };

const hasEntitlement = (session: Session, entitlement: string): boolean =>
  session.member?.plan?.entitlements.includes(entitlement) === true;

export function mayOpen(access: Access, session: Session): boolean {
  if (access === "everyone") return true;
  if (access === "member") return session.member !== null;
  if (access === "admin") return session.member?.admin === true;
  return session.member?.admin === true || hasEntitlement(session, access.subscriber);
}

/** An access as the gateway's list of pages has it. */
export const accessInManifest = (access: Access) =>
  typeof access === "string" ? { access } : { access: "subscriber", entitlement: access.subscriber };

/** My Journey stands in the bar of those whose plan has it; the trial has. */
export const hasJourney = (session: Session): boolean => hasEntitlement(session, "journey");

export interface NavItem {
  to: string;
  label: string;
  count?: number;
}

/** The links of the bar and of the menu, in their order. */
export function navItems(session: Session): NavItem[] {
  const items: NavItem[] = [
    { to: paths.home, label: shell.home },
    { to: paths.memberships, label: shell.memberships },
    { to: paths.generator, label: shell.generator },
  ];
  if (hasEntitlement(session, "articles")) items.push({ to: paths.articles, label: shell.articles });
  if (hasEntitlement(session, "library")) items.push({ to: paths.library, label: shell.library });
  if (session.member && hasJourney(session))
    items.push({ to: paths.journey, label: shell.journey, count: session.member.journeyCount });
  if (mayOpen("admin", session)) items.push({ to: paths.admin, label: shell.admin });
  return items;
}
