import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "./router";

/**
 * Filters of a list that live in the address: they survive a reload. One that is chosen is an entry of the history, so that
 * Back takes it off again; one that is typed is not: each pause in it would be one.
 */
export function useFilters() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const set = useCallback(
    (values: Readonly<Record<string, string>>, replace = false): void => {
      // Another page has the address already, and this one is about to go.
      if (window.location.pathname !== pathname) return;
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(values))
        if (value) next.set(name, value);
        else next.delete(name);
      const query = next.toString();
      if (`?${query}` === (window.location.search || "?")) return;
      const state: unknown = window.history.state;
      navigate(query ? `${pathname}?${query}` : pathname, { replace, state });
    },
    [navigate, pathname],
  );
  return {
    /** The filter of that name; "" where it is not set. */
    get: (name: string): string => params.get(name) ?? "",
    /** Sets filters, and takes out those that are "". With `replace` the entry of before is gone. */
    set,
  };
}

/** Writing into the address, and asking, as fast as one types would be too much (ms). */
const SETTLED_MS = 300;

/**
 * A text as it is typed, without the spaces around it told on by `settle` after a pause. `settled` is the one that
 * counts: when somebody else changes it (Back, a link, "clear"), it takes the place of what is typed.
 */
export function useTyped(settled: string, settle: (text: string) => void) {
  const [typed, type] = useState(settled);
  /** What was told on last: it comes back a moment later, when more may have been typed. */
  const told = useRef(settled);
  useEffect(() => {
    if (settled === told.current) return;
    told.current = settled;
    type(settled);
  }, [settled]);
  const tell = useEffectEvent(() => {
    told.current = typed.trim();
    settle(told.current);
  });
  useEffect(() => {
    if (typed.trim() === told.current) return undefined;
    const timer = setTimeout(() => tell(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, type };
}

/** A filter that is typed: a search. `settled` is what to ask for. */
export function useTypedFilter(name: string) {
  const { get, set } = useFilters();
  const settled = get(name);
  return { settled, ...useTyped(settled, (text) => set({ [name]: text }, true)) };
}
