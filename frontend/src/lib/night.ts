import { useLayoutEffect } from "react";

/** Turns the whole page to night while `on`: the player and a meditation being made. Give art on it theme="dark". */
export function useNight(on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return undefined;
    const { body } = document;
    body.dataset["night"] = "";
    body.dataset["theme"] = "dark";
    return () => {
      delete body.dataset["night"];
      delete body.dataset["theme"];
    };
  }, [on]);
}
