import type { RefObject } from "react";
import { useEffect, useState } from "react";
import { Art } from "./Art";

/** Size of the picture in px, and the ring's place as a share of the width. */
interface Frame {
  w: number;
  h: number;
  x: number;
}

/**
 * The night behind a ring, drawn at the size of its place, so that the reflection stands under the ring.
 * `around` is the positioned box, `ring` what stands in it as the moon.
 */
export function StageArt({ around, seed }: { around: RefObject<HTMLElement | null>; seed: number }) {
  const [frame, set] = useState<Frame | null>(null);
  useEffect(() => {
    const box = around.current;
    if (!box) return undefined;
    const measure = () => {
      const art = box.querySelector(":scope > .art") ?? box;
      const ring = box.querySelector("[data-ring]") ?? box;
      const a = art.getBoundingClientRect();
      const r = ring.getBoundingClientRect();
      if (a.width < 1) return;
      const next = {
        w: Math.round(a.width),
        h: Math.round(a.height),
        x: (r.left + r.width / 2 - a.left) / a.width,
      };
      set((old) =>
        old && old.w === next.w && old.h === next.h && Math.abs(old.x - next.x) < 0.004 ? old : next,
      );
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    return () => watch.disconnect();
  }, [around]);
  // Its place is known only once it is on the page; until then the night is plain.
  if (!frame) return <div className="art" aria-hidden="true" />;
  return <Art scene="stage" seed={seed} {...frame} theme="dark" />;
}
