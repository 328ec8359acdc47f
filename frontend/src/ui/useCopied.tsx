import type { ReactNode } from "react";
import { useState } from "react";
import { copyText } from "@/lib/clipboard";
import { classes } from "./classes";
import css from "./useCopied.module.css";

interface Copied {
  /** Copies the text and says so; where the browser refuses, it says that and shows the text, which can be selected. */
  copy: (text: string, said: { done: string; failed: string }) => Promise<void>;
  /** The line that says what came of it, for a place near the button. */
  note: ReactNode;
}

/** Copying to the clipboard, and the line that says what came of it. */
export function useCopied(className?: string): Copied {
  const [said, say] = useState("");
  const [text, show] = useState("");
  return {
    copy: async (wanted, { done, failed }) => {
      const copied = await copyText(wanted);
      say(copied ? done : failed);
      show(copied ? "" : wanted);
    },
    note: (
      <div role="status" className={classes(css.said, className)}>
        {said}
        {text ? <code>{text}</code> : null}
      </div>
    ),
  };
}
