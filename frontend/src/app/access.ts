import { shell } from "@/copy/shell";
import type { Session } from "@/lib/boot";
import { paths } from "@/lib/paths";
import type { Access } from "./routes";

/** Pure rules of who sees what. */

export const mayOpen = (access: Access, session: Session): boolean =>
  access === "everyone" || session.member !== null;

/** My Journey stands in the bar of those whose plan has it; the trial has. */
export const hasJourney = (session: Session): boolean =>
  session.member?.plan?.entitlements.includes("journey") === true;

export interface NavItem {
  to: string;
  label: string;
  /** The full name, where the bar shows a short one. */
  name?: string;
  count?: number;
}

/** The links of the bar and of the menu, in their order. */
export function navItems(session: Session): NavItem[] {
  const items: NavItem[] = [
    { to: paths.home, label: shell.home },
    { to: paths.generator, label: shell.generator, name: shell.generatorLong },
  ];
  if (session.member && hasJourney(session))
    items.push({ to: paths.journey, label: shell.journey, count: session.member.journeyCount });
  return items;
}
