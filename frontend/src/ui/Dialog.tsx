import type { MouseEvent, ReactNode } from "react";
import { useEffect, useId, useRef } from "react";
import { classes } from "./classes";
import { IconButton } from "./Button";

interface DialogProps {
  /** Always there, even where it is hidden: it names the dialog. */
  title: ReactNode;
  /** Called for Escape, the close button and a press outside. The owner then takes the dialog away. */
  onClose: () => void;
  children: ReactNode;
  /** The owner shows the title itself and puts `titleId` on it. */
  renderTitle?: false;
  className?: string;
}

/**
 * A native modal dialog: a sheet on phones, centred elsewhere. Render it to open it.
 * With a fine pointer the focus begins at the part marked `data-first`, else at the close button.
 * Focus stays inside and returns to where it was; the page behind does not scroll.
 */
export function Dialog({ title, onClose, children, renderTitle, className }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Not on touch screens, where a keyboard would cover what has just opened.
    if (matchMedia("(pointer: fine)").matches) dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === ref.current) onClose();
  };
  return (
    // Escape does for the keyboard what a press outside does for the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={classes("dialog", className)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={outside}
    >
      <div className="dialog__in">
        <div className="dialog__head">
          <h2 id={titleId} className={renderTitle === false ? "sr" : undefined}>
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} className="dialog__close" />
        </div>
        {children}
      </div>
    </dialog>
  );
}
