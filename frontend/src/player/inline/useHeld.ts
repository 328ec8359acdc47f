import type { RefObject } from "react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Engine, Snapshot } from "../engine/types";
import { usePlayer } from "../hooks";

/** The specification's: with less of an inline player in view than this, the mini player takes over. */
const IN_VIEW = 0.25;

/** A plain value of what the engine does with this recording; `without` while it holds another. */
function useNow<T extends string | number | boolean>(
  engine: Engine,
  id: string,
  pick: (now: Snapshot) => T,
  without: T,
): T {
  return useSyncExternalStore(engine.subscribe, () => {
    const now = engine.snapshot();
    return now.recording?.id === id ? pick(now) : without;
  });
}

/** What an inline player shows of its recording: it is drawn again only when one changes. */
export function useHeld(id: string) {
  const { engine } = usePlayer();
  return {
    held: useNow(engine, id, () => true, false),
    wanted: useNow(engine, id, (now) => now.wanted, false),
    state: useNow<string>(engine, id, (now) => (now.blocked ? "blocked" : now.state), "idle"),
    positionMs: useNow(engine, id, (now) => now.positionMs, 0),
    durationMs: useNow(engine, id, (now) => now.durationMs, 0),
  };
}

/** True while a quarter of the element is in the window; so it is taken to be until the browser has said otherwise. */
export function useInView(ref: RefObject<Element | null>): boolean {
  const [inView, set] = useState(true);
  useEffect(() => {
    if (!ref.current) return undefined;
    const watch = new IntersectionObserver(
      (entries) => set((entries.at(-1)?.intersectionRatio ?? 0) >= IN_VIEW),
      { threshold: IN_VIEW },
    );
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, [ref]);
  return inView;
}

/** For the element that controls what is held: the mini player shows only while too little of it is in view. */
export function useTakesOver<T extends Element>(held: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  const { showRing } = usePlayer();
  const inView = useInView(ref);
  useEffect(() => (held && inView ? showRing() : undefined), [showRing, held, inView]);
  return ref;
}
