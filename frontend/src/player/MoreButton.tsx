import { Suspense, useState } from "react";
import { player as copy } from "@/copy/player";
import { preloadable } from "@/lib/preloadable";
import { IconButton } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./MoreButton.module.css";

const Sheet = preloadable(() => import("./more/Sheet"));

/** Opens the sheet of sounds, volumes, speed and sleep timer, which is its own chunk. */
export function MoreButton({ className }: { className?: string | undefined }) {
  const [open, set] = useState(false);
  return (
    <>
      <IconButton
        icon="more"
        label={copy.more.open}
        aria-haspopup="dialog"
        className={classes(css.more, className)}
        onClick={() => set(true)}
      />
      <Suspense>{open ? <Sheet onClose={() => set(false)} /> : null}</Suspense>
    </>
  );
}
