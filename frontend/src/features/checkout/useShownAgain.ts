import { useEffect, useEffectEvent } from "react";

/** Calls back when the browser's way back shows this page as it was left. */
export function useShownAgain(run: () => void): void {
  const shown = useEffectEvent((event: PageTransitionEvent) => event.persisted && run());
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => void shown(event);
    window.addEventListener("pageshow", listen);
    return () => window.removeEventListener("pageshow", listen);
  }, []);
}
