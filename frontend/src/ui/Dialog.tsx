import type { MouseEvent, ReactNode } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { classes } from "./classes";
import { IconButton } from "./Button";
import css from "./Dialog.module.css";
import { addDialog } from "./open-dialogs";

interface DialogProps {
  /** Always there, even where it is hidden: it names the dialog. */
  title: ReactNode;
  /**
   * Called for Escape, the close button and a press outside. The owner then takes the dialog away. Without it
   * the dialog cannot be closed: something in it must be answered.
   */
  onClose?: (() => void) | undefined;
  children: ReactNode;
  /** The content fills the panel and shows the title itself. */
  bare?: boolean;
  className?: string | undefined;
}

/**
 * A native modal dialog: a sheet on phones, centred elsewhere. Render it to open it.
 * The focus begins at the part marked `data-first`, on touch screens at the close button, and where it cannot be closed at
 * its title, which stays while what is in it comes.
 * Focus stays inside and returns to where it was; the page behind does not scroll.
 */
export function Dialog({ title, onClose, children, bare, className }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Whether it could be closed as it opened. */
  const [closable] = useState(onClose !== undefined);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    const remove = dialog && addDialog(dialog);
    // Not on touch screens, where a keyboard would cover what has just opened.
    if (!matchMedia("(pointer: coarse)").matches) dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      remove?.();
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === ref.current) onClose?.();
  };
  return (
    // Escape does for the keyboard what a press outside does for the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={classes(css.dialog, bare && css.bare, className)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // A second Escape in a row asks nobody: browsers then close without `cancel`.
      onClose={() => !onClose && ref.current?.isConnected && ref.current.showModal()}
      onMouseDown={outside}
    >
      <div className={css.in}>
        <div className={css.head}>
          <h2 id={titleId} tabIndex={closable ? undefined : -1} className={bare ? "sr" : undefined}>
            {title}
          </h2>
          {onClose ? <IconButton icon="close" label="Close" onClick={onClose} className={css.close} /> : null}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The answers to a dialog, at its end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}
