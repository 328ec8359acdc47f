import { useSyncExternalStore } from "react";
import type { Theme } from "@/art/inks";
import { remember, remembered } from "./storage";
import { createStore, useStore } from "./store";

/** The member's choice; "system" follows the machine. index.html applies a stored one before the first paint. */
export type ThemeChoice = "system" | Theme;

const KEY = "serein-theme";
const isTheme = (v: string | null): v is Theme => v === "light" || v === "dark";
const stored = (): ThemeChoice => {
  const v = remembered("localStorage", KEY);
  return isTheme(v) ? v : "system";
};

const choice = createStore<ThemeChoice>(typeof window === "undefined" ? "system" : stored(), "system");

export function chooseTheme(next: ThemeChoice): void {
  const root = document.documentElement;
  if (next === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = next;
  remember("localStorage", KEY, next === "system" ? null : next);
  choice.set(next);
}

export const useThemeChoice = (): ThemeChoice => useStore(choice);

const QUERY = "(prefers-color-scheme: dark)";
const followSystem = (listener: () => void) => {
  const query = matchMedia(QUERY);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};
const systemIsDark = () => matchMedia(QUERY).matches;

/** The theme the page shows now. Parts that are always night say so themselves (data-theme="dark"). */
export function useTheme(): Theme {
  const chosen = useThemeChoice();
  const dark = useSyncExternalStore(followSystem, systemIsDark, () => false);
  if (chosen !== "system") return chosen;
  return dark ? "dark" : "light";
}
