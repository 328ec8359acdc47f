import type { ComponentType } from "react";
import { createElement, use } from "react";
import { loadAgain, onFailed } from "./chunk-failure";

interface Module<Props> {
  default: ComponentType<Props>;
}

/** A component in its own chunk. It renders without waiting once `preload` has resolved. */
export type Preloadable<Props extends object = object> = ComponentType<Props> & {
  preload: () => Promise<void>;
};

/** A component in a separate chunk. */
export const preloadable = <Props extends object = object>(
  load: () => Promise<Module<Props>>,
): Preloadable<Props> => partOf(load, (module) => module.default);

/**
 * One of the components in a chunk, with a `preload`, and with another try where the chunk could not be fetched. A component that
 * was loaded before it is shown is rendered at once. React's `lazy` and `use` wait a moment even for a promise that has resolved, and
 * while the build's markup is hydrated that moment counts as missing: the markup goes, the fallback comes, and then the page again.
 * And `lazy` keeps a failure for good.
 */
export function partOf<All, Props extends object>(
  load: () => Promise<All>,
  pick: (all: All) => ComponentType<Props>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | undefined;
  /** What a render waits for, or has waited for: the renders after it go on using it, as `use` demands. */
  let awaited: Promise<ComponentType<Props>> | undefined;
  let failure: unknown;
  const fetch = async () => {
    try {
      loaded = pick(await (failure ? loadAgain(load, failure) : load()));
      return loaded;
    } catch (error) {
      failure = error;
      onFailed(() => (awaited = undefined));
      throw error;
    }
  };
  const Part = (props: Props) => {
    const Shown = loaded && !awaited ? loaded : use((awaited ??= fetch()));
    return createElement(Shown, props);
  };
  const preload = async () => {
    loaded = pick(await load());
  };
  return Object.assign(Part, { preload });
}
