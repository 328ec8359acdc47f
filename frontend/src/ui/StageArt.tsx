import type { RefObject } from "react";
import { useEffect, useRef, useState } from "react";
import { Art } from "./Art";
import { classes } from "./classes";
import css from "./StageArt.module.css";

/** Size of the picture in px, and the ring's place as a share of the width. */
interface Frame {
  w: number;
  h: number;
  x: number;
}

interface StageArtProps {
  /** The positioned box; its part marked `data-ring` stands as the moon. */
  around: RefObject<HTMLElement | null>;
  seed: number;
  className?: string | undefined;
}

/** The night behind a ring, drawn at the size of its place, so that the reflection stands under the ring. */
export function StageArt({ around, seed, className }: StageArtProps) {
  const place = useRef<HTMLDivElement>(null);
  const [frame, set] = useState<Frame | null>(null);
  useEffect(() => {
    const [box, art] = [around.current, place.current];
    if (!box || !art) return undefined;
    const measure = () => {
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
  return (
    <div className={classes(css.place, className)} ref={place} aria-hidden="true">
      {/* Its place is known only once it is on the page; until then the night is plain. */}
      {frame ? <Art scene="stage" seed={seed} {...frame} theme="dark" className={css.art} /> : null}
    </div>
  );
}
