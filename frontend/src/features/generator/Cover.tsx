import type { ReactNode } from "react";
import type { Theme } from "@/art/inks";
import { Art } from "@/ui/Art";
import { classes } from "@/ui/classes";
import css from "./Cover.module.css";

interface CoverProps {
  scene: string;
  seed: string;
  /** For a cover that keeps its light in the night; else the page's theme. */
  theme?: Theme;
  /** Stands on the print's lower edge. */
  over?: ReactNode;
  className?: string | undefined;
  /** Class of the lines below the print. */
  textClass?: string | undefined;
  children: ReactNode;
}

/** A print on its mount, with lines of text below. */
export function Cover({ scene, seed, theme, over, className, textClass, children }: CoverProps) {
  return (
    <div className={classes(css.cover, className)} data-theme={theme}>
      <div className={css.print}>
        <Art scene={scene} seed={seed} {...(theme && { theme })} plate className={css.art} />
        {over}
      </div>
      <div className={classes(css.text, textClass)}>{children}</div>
    </div>
  );
}
