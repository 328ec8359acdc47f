import { useEffect } from "react";
import { remember, remembered } from "./storage";
import { createStore, useStore } from "./store";

/** Slow pictures hold still when nobody has touched the page for this long. */
const IDLE_MS = 60_000;
const KEY = "serein-still";
const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "scroll"] as const;

const chosen = createStore(typeof window !== "undefined" && remembered("localStorage", KEY) !== null, false);

/** Whether the member asked for still pictures. */
export const useStill = (): boolean => useStore(chosen);

export function chooseStill(still: boolean): void {
  remember("localStorage", KEY, still ? "yes" : null);
  chosen.set(still);
}

/** While a moving picture is shown: marks the root `data-still` when it should hold still. CSS pauses by that. */
export function useStillness(): void {
  const still = useStill();
  useEffect(() => {
    const root = document.documentElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => void (root.dataset["still"] = "");
    const wake = () => {
      clearTimeout(timer);
      if (still || document.hidden) return rest();
      delete root.dataset["still"];
      timer = setTimeout(rest, IDLE_MS);
    };
    wake();
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, wake, { passive: true });
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, wake);
      document.removeEventListener("visibilitychange", wake);
      delete root.dataset["still"];
    };
  }, [still]);
}
