import { SearchRequestRules } from "@/gen/serein/web/v1/search_rules";
import type { Location } from "./router";
import { stateOf, useBrowserLocation, useNavigate } from "./router";

/**
 * The site's search lies over the page it was opened from, as `?find=rain` of its address: Back closes it, and a reload
 * or a link opens it. `?search=` is taken: lists look through themselves by it.
 */
const PARAMS = { text: "find", tab: "find-in", category: "find-category" } as const;

export interface SiteSearch {
  text: string;
  /** The tab that was chosen; "" where none was. */
  tab: string;
  /** What is filed under a category's id alone; "" for everything. */
  category: string;
}

/** What is searched for at a query, or null where the search is closed. */
export function searchAt(query: string): SiteSearch | null {
  const params = new URLSearchParams(query);
  const text = params.get(PARAMS.text);
  if (text === null) return null;
  return {
    text: text.slice(0, SearchRequestRules.text.maxLen),
    tab: params.get(PARAMS.tab) ?? "",
    category: params.get(PARAMS.category) ?? "",
  };
}

/** The address with another search over its page, or with none. */
export function withSearch({ pathname, search, hash }: Omit<Location, "state">, next: SiteSearch | null) {
  const params = new URLSearchParams(search);
  for (const name of Object.values(PARAMS)) params.delete(name);
  if (next) {
    params.set(PARAMS.text, next.text);
    if (next.tab) params.set(PARAMS.tab, next.tab);
    if (next.category) params.set(PARAMS.category, next.category);
  }
  const query = params.toString();
  return pathname + (query && `?${query}`) + hash;
}

/** What the history entry of a search holds beside the page's own state. */
interface Opened {
  /** The entry before this one is the page without the search. */
  searchOpened: true;
}

/** Opens, changes and closes the search. */
export function useSiteSearch() {
  const location = useBrowserLocation();
  const navigate = useNavigate();
  const { state } = location;
  const search = searchAt(location.search);
  const open = () => {
    if (search) return;
    const opened: Opened = { searchOpened: true };
    navigate(withSearch(location, { text: "", tab: "", category: "" }), {
      state: { ...stateOf(location), ...opened },
    });
  };
  return {
    /** Null while it is closed. */
    search,
    /** The address of the page under it. */
    under: withSearch(location, null),
    open,
    change: (part: Partial<SiteSearch>) =>
      search && navigate(withSearch(location, { ...search, ...part }), { replace: true, state }),
    close: () => {
      if ("searchOpened" in stateOf(location)) window.history.back();
      else navigate(withSearch(location, null), { replace: true, state });
    },
  };
}
