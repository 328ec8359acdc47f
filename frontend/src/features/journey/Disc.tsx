import type { ReactNode } from "react";
import { classes } from "@/ui/classes";
import { Ring } from "@/ui/Ring";
import css from "./Disc.module.css";

interface DiscProps {
  /** How much of the ring is drawn, from 0 to 1. */
  share: number;
  /** A countdown, which a screen reader says as `label` when it is asked and not each second. */
  label?: string;
  className?: string | undefined;
  ringClass?: string | undefined;
  children: ReactNode;
}

/** The disc with a ring in the middle of a print: a figure and what it counts. */
export function Disc({ share, label, className, ringClass, children }: DiscProps) {
  return (
    <div
      className={classes(css.disc, className)}
      {...(label && { role: "timer", "aria-live": "off", "aria-label": label })}
    >
      <Ring className={classes(css.ring, ringClass)} size={120} share={share} track={1.5} arc={3.5} />
      {children}
    </div>
  );
}
