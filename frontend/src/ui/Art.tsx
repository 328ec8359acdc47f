import { useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { art, categoryOf } from "@/art/art";
import { hero } from "@/art/hero";
import type { Theme } from "@/art/inks";
import { stage } from "@/art/stage";
import { inTurn } from "@/lib/idle";
import { useInBrowser } from "@/lib/in-browser";
import { useTheme } from "@/lib/theme";
import { classes } from "./classes";
import css from "./Art.module.css";

/** Whether a part of the frame stands in the window. */
function seen(frame: HTMLElement): boolean {
  const { top, left } = frame.getBoundingClientRect();
  return top < window.innerHeight && left < window.innerWidth;
}

interface PrintProps {
  /** One of the 13 categories by its name, or "hero" (1600 x 620) or "stage" (the player's night). */
  scene: string;
  /** An item's id; for bespoke meditations their title, so that form, result and card show the same print. */
  seed: string | number;
  /** Size of the drawing, not of the frame. Default 400 x 500. */
  w?: number;
  h?: number;
  /** For parts that are always night; else the page's theme. */
  theme?: Theme;
  /** Stage only: where the ring stands, 0 to 1 of the width. */
  x?: number;
  /** In the shape of a plate, 4:5; else its owner gives it a size. */
  plate?: boolean;
  className?: string | undefined;
}

/** A print from our own scenes. Decoration: what it is about stands in words beside it. */
export function Art({ scene, seed, w = 400, h = 500, theme, x, plate, className }: PrintProps) {
  const pageTheme = useTheme();
  const shown = theme ?? pageTheme;
  const id = `a${useId().replace(/\W/g, "")}`;
  // The build knows no theme, and a print weighs more than the page: it comes with the app. A print that is seen is there
  // with the page that shows it, or right after the page's written markup is taken over. The others are drawn one after
  // another when nothing else is to do: all of them at once would hold up a phone.
  const [withPage] = useState(useInBrowser());
  const [drawn, setDrawn] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (drawn || !frame.current) return;
    const draw = () => setDrawn(true);
    if (!seen(frame.current)) inTurn(draw);
    else if (withPage) draw();
    else window.setTimeout(draw);
  }, [drawn, withPage]);
  const __html = useMemo(() => {
    if (!drawn) return "";
    const options = { seed, w, h, theme: shown, id };
    if (scene === "hero") return hero(options);
    if (scene === "stage") return stage(x === undefined ? options : { ...options, x });
    return art({ ...options, category: categoryOf(scene) });
  }, [scene, seed, w, h, shown, id, x, drawn]);
  return (
    <div
      ref={frame}
      className={classes(css.art, plate && css.plate, className)}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html }}
    />
  );
}
