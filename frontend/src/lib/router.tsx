import { parse } from "regexparam";
import type { ComponentProps } from "react";
import { createContext, useContext, useEffect, useMemo } from "react";
import { Link as RouterLink, useRouter } from "wouter";
import { navigate, useHistoryState, useLocationProperty } from "wouter/use-browser-location";

/**
 * Navigation, in one place: the rest of the app imports it from here. The router is wouter, because the whole of
 * react-router weighs 12 KB in the entry of which the app uses one.
 */

export interface Location {
  pathname: string;
  search: string;
  hash: string;
  /** What was put into the history entry; null for one that came from outside. */
  state: unknown;
}

/** The state of a location's history entry, whichever code put it there; {} if it is not an object. */
export const stateOf = ({ state }: Pick<Location, "state">): object =>
  typeof state === "object" && state !== null ? state : {};

/** The location a page is shown for, where that is not the browser's: under a panel that has the address. */
const Shown = createContext<Location | null>(null);
export const ShownLocation = Shown.Provider;

const Params = createContext<Readonly<Record<string, string>>>({});
export const RouteParams = Params.Provider;

const hrefNow = () => window.location.pathname + window.location.search + window.location.hash;

/** The browser's own location. On the server, and while its markup is taken over, the address it was written for. */
export function useBrowserLocation(): Location {
  const { ssrPath = "/", ssrSearch } = useRouter();
  const href = useLocationProperty(hrefNow, () => (ssrSearch ? `${ssrPath}?${ssrSearch}` : ssrPath));
  const state: unknown = useHistoryState();
  return useMemo(() => {
    const { pathname, search, hash } = new URL(href, "https://serein.invalid");
    return { pathname, search, hash, state };
  }, [href, state]);
}

/** The location of the page that asks. */
export function useLocation(): Location {
  const browser = useBrowserLocation();
  return useContext(Shown) ?? browser;
}

/** Goes to an address of the app; tells nothing to the server. */
export const useNavigate = (): typeof navigate => navigate;
/** The same from outside a component. */
export const goTo = navigate;

/** The parts of the address that the route names: `:id`. */
export const useParams = (): Readonly<Record<string, string>> => useContext(Params);

/** The named parts of a path that a route's pattern covers, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const { keys, pattern: shape } = parse(pattern);
  const found = shape.exec(path);
  if (!found) return null;
  const params: Record<string, string> = {};
  for (const [i, key] of keys.entries()) {
    const value = found[i + 1];
    if (value !== undefined) params[key] = decoded(value);
  }
  return params;
}

/** A part that is no valid encoding stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  to: string;
  state?: unknown;
  replace?: boolean;
};

/** A link to another page of the app. */
export function Link(props: LinkProps) {
  return <RouterLink {...props} />;
}

/** A link that says whether it leads to the page one is on (aria-current); with `end` not to one below it. */
export function NavLink({ to, end, ...rest }: LinkProps & { end?: boolean }) {
  const { pathname } = useLocation();
  const here = pathname === to || (!end && pathname.startsWith(`${to}/`));
  return <Link to={to} aria-current={here ? "page" : undefined} {...rest} />;
}

/** Leads on as soon as it is shown. */
export function Navigate({ to, replace = false }: { to: string; replace?: boolean }) {
  useEffect(() => navigate(to, { replace }), [to, replace]);
  return null;
}
