import type { ComponentType } from "react";
import { pages } from "@/copy/pages";
import { paths } from "@/lib/paths";
import type { Session } from "@/lib/boot";
import type { Preloadable } from "@/lib/preloadable";
import { preloadable } from "@/lib/preloadable";
import { matchPath } from "@/lib/router";
import type { Access } from "./access";
import { mayOpen } from "./access";

type Load = () => Promise<{ default: ComponentType }>;

/** One page. `load` is its chunk: called to show it, and before that to warm it. */
export interface AppRoute {
  path: string;
  title: string;
  access: Access;
  /** Reads from the gateway, so the data chunk comes with it. */
  data: boolean;
  /** Fills the window by itself, without the shell's bars around it. */
  alone: boolean;
  /**
   * "itself": the same for every visitor, the build writes its markup; where it reads, how it begins. "template": the build writes it with an answer's
   * fields for its texts, and the gateway fills them. "home": lies under a panel, over the home page.
   */
  prerender: false | "itself" | "template" | "home";
  /** Parameters of the address that make another page of it: of a page that the build has written, the app alone shows that one. */
  query: readonly string[];
  /** The one of them by which the gateway can fill the page too, where it stands alone; "" for none. */
  filter: string;
  /** There only where the operator has switched it on: the gateway has no such page elsewhere. */
  debug: boolean;
  load: Load;
  Page: Preloadable;
}

const route = (path: string, title: string, load: Load, more?: Partial<AppRoute>): AppRoute => ({
  path,
  title,
  access: "everyone",
  data: false,
  alone: false,
  prerender: false,
  query: [],
  filter: "",
  debug: false,
  load,
  Page: preloadable(load),
  ...more,
});

const WRITTEN = { prerender: "itself" } as const;
/** Shows what is somebody's own: the build writes how it begins. */
const BEGUN = { prerender: "itself", data: true } as const;
/** Shows content, so it reads from the gateway, and the gateway fills it. */
const FILLED = { prerender: "template", data: true } as const;

/** Every page of the app, and the one list of them: the build makes dist/pages.json of it for the gateway. */
export const ROUTES: readonly AppRoute[] = [
  route(paths.home, pages.home, () => import("@/routes/home"), FILLED),
  route(paths.generator, pages.generator, () => import("@/routes/generator"), BEGUN),
  route(`${paths.generator}/:id`, pages.bespoke, () => import("@/routes/generator"), { data: true }),
  // The gateway takes ":id" for that of a meditation, and has no page of one that there is not.
  route(`${paths.generator}/script/:script`, pages.script, () => import("@/routes/script"), {
    access: "member",
    data: true,
  }),
  route(paths.journey, pages.journey, () => import("@/routes/journey"), {
    ...BEGUN,
    access: "member",
    query: ["tab", "search"],
  }),
  // Before the player's address, which would take it for a meditation's id.
  route(paths.diary, pages.diary, () => import("@/routes/diary"), { access: "member", data: true }),
  route(`${paths.journey}/:id`, pages.listen, () => import("@/routes/listen"), {
    access: "member",
    data: true,
    alone: true,
  }),
  route(paths.kept, pages.kept, () => import("@/routes/kept"), { data: true }),
  route(paths.library, pages.library, () => import("@/routes/library"), {
    ...FILLED,
    access: { subscriber: "library" },
    query: ["kind", "category", "search", "unverified"],
  }),
  route(paths.shared, pages.shared, () => import("@/routes/shared"), { data: true }),
  route(paths.timer, pages.timer, () => import("@/routes/timer"), { ...BEGUN, query: ["tab"] }),
  route(paths.reminders, pages.reminders, () => import("@/routes/reminders"), {
    access: "member",
    data: true,
  }),
  route(paths.members, pages.members, () => import("@/routes/members"), { access: "member", data: true }),
  route(paths.ledger, pages.ledger, () => import("@/routes/ledger"), { access: "member", data: true }),
  route(paths.orders, pages.orders, () => import("@/routes/orders"), { access: "member", data: true }),
  route(paths.admin, pages.admin, () => import("@/routes/admin"), { access: "admin", data: true }),
  route(paths.signIn, pages.signIn, () => import("@/routes/sign-in"), WRITTEN),
  // The account panel's addresses: it lies over another page, the home page for those who come by a link.
  route(paths.signUp, pages.signUp, () => import("@/routes/home"), { prerender: "home", data: true }),
  route(paths.confirm, pages.confirm, () => import("@/routes/home"), { prerender: "home", data: true }),
  route(paths.memberships, pages.memberships, () => import("@/routes/memberships"), {
    ...FILLED,
    query: ["period"],
  }),
  route(paths.apparel, pages.apparel, () => import("@/routes/apparel"), FILLED),
  route(paths.basket, pages.basket, () => import("@/routes/basket"), BEGUN),
  route(paths.checkout, pages.checkout, () => import("@/routes/checkout"), BEGUN),
  route(paths.orderSuccess, pages.orderSuccess, () => import("@/routes/order-success"), {
    access: "member",
    data: true,
  }),
  route(paths.testPayment, pages.testPayment, () => import("@/routes/test-payment")),
  route(paths.articles, pages.articles, () => import("@/routes/articles"), {
    ...FILLED,
    query: ["category", "search"],
    filter: "category",
  }),
  route(paths.article(":slug"), pages.article, () => import("@/routes/article"), FILLED),
  route(paths.courses, pages.courses, () => import("@/routes/courses"), FILLED),
  route(paths.course(":course"), pages.course, () => import("@/routes/course"), FILLED),
  route(paths.about, pages.about, () => import("@/routes/about"), FILLED),
  route(paths.contact, pages.contact, () => import("@/routes/contact"), WRITTEN),
  route(paths.terms, pages.terms, () => import("@/routes/terms"), FILLED),
  route(paths.privacy, pages.privacy, () => import("@/routes/privacy"), FILLED),
  route(paths.debugSignIn, pages.debugSignIn, () => import("@/routes/debug-sign-in"), {
    data: true,
    debug: true,
  }),
  route(paths.sitemap, pages.sitemap, () => import("@/routes/sitemap"), FILLED),
];

/** For every other address. */
export const NOT_FOUND = route("*", pages.notFound, () => import("@/routes/not-found"), WRITTEN);

/** The route whose markup the build has written for this path, or null. */
export function writtenRoute(path: string): AppRoute | null {
  const { route: at } = routeAt(path);
  if (!at.prerender) return null;
  return at.prerender === "home" ? routeAt(paths.home).route : at;
}

/** The page that a path leads to, and the parts that its pattern names. */
export function routeAt(path: string): { route: AppRoute; params: Record<string, string> } {
  for (const candidate of ROUTES) {
    const params = matchPath(candidate.path, path);
    if (params) return { route: candidate, params };
  }
  return { route: NOT_FOUND, params: {} };
}

/** Returns the pattern of the page that is shown at a path; "" if no page has the path, or this session may not open it. */
export function patternAt(path: string, session: Session): string {
  const { route: at } = routeAt(path);
  return at !== NOT_FOUND && mayOpen(at.access, session) ? at.path : "";
}
export type PatternAt = typeof patternAt;
