import type { RefObject } from "react";
import { useLayoutEffect, useRef } from "react";
import { usePlayer } from "./hooks";
import { useInView } from "./inline/useHeld";

/** For a page's own controls of what the player holds: the mini player shows only while too little of them is in view. */
export function useControls<T extends Element>(held: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  const { showFull } = usePlayer();
  const inView = useInView(ref);
  // Before it is drawn: the mini player does not come for one frame.
  useLayoutEffect(() => (held && inView ? showFull() : undefined), [showFull, held, inView]);
  return ref;
}
