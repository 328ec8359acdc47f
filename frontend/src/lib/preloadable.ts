import type { ComponentType } from "react";
import { lazy } from "react";

interface Module<Props> {
  default: ComponentType<Props>;
}

/** A component in a chunk of its own. Once `preload` has ended it renders at once. */
export type Preloadable<Props extends object = object> = ComponentType<Props> & {
  preload: () => Promise<void>;
};

/**
 * React's `lazy`, with a `preload`. By itself `lazy` waits a moment even for a module that is there, and in markup
 * that is being taken over that moment counts as missing: the markup goes, the fallback comes, and then the page again.
 */
export function preloadable<Props extends object = object>(
  load: () => Promise<Module<Props>>,
): Preloadable<Props> {
  let loaded: Module<Props> | undefined;
  const Lazy = lazy(() => (loaded ? settled(loaded) : load()));
  const preload = async () => {
    loaded = await load();
  };
  return Object.assign(Lazy as unknown as ComponentType<Props>, { preload });
}

/** A promise that calls back at once. */
const settled = <Props>(module: Module<Props>) =>
  // oxlint-disable-next-line unicorn/no-thenable
  ({ then: (done: (module: Module<Props>) => void) => done(module) }) as Promise<Module<Props>>;
