import type { ComponentType } from "react";
import { createElement, lazy } from "react";
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
 * One of the components in a chunk: React's `lazy`, with a `preload`, and with another try where the chunk could not be
 * fetched. By itself `lazy` waits a moment even for a module that is there, and in markup that is being taken over that
 * moment counts as missing: the markup goes, the fallback comes, and then the page again. And it keeps a failure for good.
 */
export function partOf<All, Props extends object>(
  load: () => Promise<All>,
  pick: (all: All) => ComponentType<Props>,
): Preloadable<Props> {
  let loaded: Module<Props> | undefined;
  let failure: unknown;
  const fetch = async () => {
    try {
      loaded = { default: pick(await (failure ? loadAgain(load, failure) : load())) };
      return loaded;
    } catch (error) {
      failure = error;
      onFailed(() => (Shown = begin()));
      throw error;
    }
  };
  const begin = () => lazy(() => (loaded ? settled(loaded) : fetch()));
  let Shown = begin();
  const Part = (props: Props) => createElement(Shown as unknown as ComponentType<Props>, props);
  const preload = async () => {
    loaded = { default: pick(await load()) };
  };
  return Object.assign(Part, { preload });
}

/** A promise that calls back at once. */
const settled = <Props>(module: Module<Props>) =>
  // oxlint-disable-next-line unicorn/no-thenable
  ({ then: (done: (module: Module<Props>) => void) => done(module) }) as Promise<Module<Props>>;
