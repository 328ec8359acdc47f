import type { ReactNode, RefObject } from "react";
import { useRef } from "react";
import { useNight } from "@/lib/night";
import { classes } from "@/ui/classes";
import { StageArt } from "@/ui/StageArt";
import css from "./NightStage.module.css";

interface NightStageProps {
  /** Id of the heading that names the part. */
  labelledBy: string;
  /** Stands over the lake, where the moon would. */
  figure: ReactNode;
  /** Keeps it in view while the words are longer than the window. */
  follow?: boolean;
  ref?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** The page turned to night: something round or framed on the left, words on the right. */
export function NightStage({ labelledBy, figure, follow, ref, children }: NightStageProps) {
  const own = useRef<HTMLElement>(null);
  const around = ref ?? own;
  useNight(true);
  return (
    <section className={css.stage} data-theme="dark" aria-labelledby={labelledBy} ref={around}>
      <StageArt around={around} seed={9} className={css.art} />
      <div className={classes("wrap", css.columns)}>
        <div className={classes(css.figure, follow && css.follow)} data-ring>
          {figure}
        </div>
        <div className={css.words}>{children}</div>
      </div>
    </section>
  );
}
