import { useSyncExternalStore } from "react";

/** A value outside React that components can follow. For the few things the whole page shares. */
export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
  /** The value in the markup that the build has written, without knowledge of the browser. */
  getServerSnapshot: () => T;
}

/** `built` is the value in the build's markup, if this browser may begin with a different one. */
export function createStore<T>(initial: T, built = initial): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    getServerSnapshot: () => built,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T>(store: Store<T>): T =>
  useSyncExternalStore(store.subscribe, store.get, store.getServerSnapshot);
