import type { ComponentType } from "react";
import { lazy } from "react";

interface Module {
  default: ComponentType;
}

/** A component in a chunk of its own. Once `preload` has ended it renders at once. */
export type Preloadable = ComponentType & { preload: () => Promise<void> };

/**
 * React's `lazy`, with a `preload`. By itself `lazy` waits a moment even for a module that is there, and in markup
 * that is being taken over that moment counts as missing: the markup goes, the fallback comes, and then the page again.
 */
export function preloadable(load: () => Promise<Module>): Preloadable {
  let loaded: Module | undefined;
  const Lazy = lazy(() => (loaded ? settled(loaded) : load()));
  const preload = async () => {
    loaded = await load();
  };
  return Object.assign(Lazy as unknown as ComponentType, { preload });
}

/** A promise that calls back at once. */
const settled = (module: Module) =>
  // oxlint-disable-next-line unicorn/no-thenable
  ({ then: (done: (module: Module) => void) => done(module) }) as Promise<Module>;
