import type { FocusEvent } from "react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { notices } from "@/copy/notices";
import { shell } from "@/copy/shell";
import { useStore } from "@/lib/store";
import { IconButton } from "../Button";
import { classes } from "../classes";
import { Icon } from "../Icon";
import { openDialogs } from "../open-dialogs";
import { toaster } from "./store";
import css from "./Toaster.module.css";

/** The list of notices, inside the dialog on top where there is one: whatever is outside of it lies below. Alt+T brings the focus to it. */
export function Toaster() {
  const list = useStore(toaster.list);
  const dialog = useStore(openDialogs).at(-1);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || event.code !== "KeyT") return;
      event.preventDefault();
      ref.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) toaster.release();
  };
  const shown = (
    // The pointer and the focus only pause the clock; there is nothing to operate here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={ref}
      className={classes(css.list, dialog && css.over)}
      aria-label={notices.list}
      tabIndex={-1}
      aria-live="polite"
      onMouseEnter={toaster.hold}
      onMouseLeave={toaster.release}
      onFocus={toaster.hold}
      onBlur={leave}
    >
      {list.map((toast) => (
        <div key={toast.id} className={css.toast}>
          <Icon name={toast.tone === "ok" ? "tick" : "info"} />
          <span>{toast.text}</span>
          <IconButton
            icon="close"
            label={shell.dismiss}
            className={css.close}
            onClick={() => toaster.dismiss(toast.id)}
          />
        </div>
      ))}
    </section>
  );
  return dialog ? createPortal(shown, dialog) : shown;
}
