import { afterEach, expect, test, vi } from "vitest";
import { isChunkFailure, reloadOnce } from "./chunk-failure";

afterEach(() => void vi.unstubAllGlobals());

test("a chunk that could not be fetched is distinguished from a fault in its code", () => {
  for (const message of [
    "Failed to fetch dynamically imported module: https://serein.app/assets/about.js",
    "error loading dynamically imported module",
    "Importing a module script failed.",
    "Unable to preload CSS for /assets/home.css",
  ])
    expect(isChunkFailure(new TypeError(message))).toBe(true);
  expect(isChunkFailure(new TypeError("undefined is not a function"))).toBe(false);
});

test("the page is loaded again by itself once, and not over and over", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("window", {
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
  });
  const reload = vi.fn<() => void>();
  expect(reloadOnce(1_000_000, reload)).toBe(true);
  expect(reloadOnce(1_005_000, reload)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
  expect(reloadOnce(2_000_000, reload)).toBe(true);
});
