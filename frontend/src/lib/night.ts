import { useLayoutEffect } from "react";

/** Turns the whole page to night while `on`: the player and a meditation being made. Give art on it theme="dark". */
export function useNight(on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return undefined;
    const { body } = document;
    body.classList.add("is-night");
    body.dataset["theme"] = "dark";
    return () => {
      body.classList.remove("is-night");
      delete body.dataset["theme"];
    };
  }, [on]);
}
