import { useState } from "react";
import { diary } from "@/copy/diary";
import { Button, IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { toast } from "@/ui/toast/store";
import { LineForm } from "./LineForm";
import css from "./LineOffer.module.css";

const words = diary.offer;

interface LineOfferProps {
  /** The id of the diary's entry. */
  entry: string;
  onClose: () => void;
}

/** Once a recording has been heard to its end: a quiet way to write a line for the diary. It takes no focus, and stays until it is left. */
export function LineOffer({ entry, onClose }: LineOfferProps) {
  const [open, setOpen] = useState(false);
  const close = (saved: boolean) => {
    onClose();
    if (saved) toast(words.saved);
  };
  if (!open)
    return (
      <section className={css.offer} aria-label={words.label}>
        <Button small look="tint" onClick={() => setOpen(true)}>
          {words.label}
        </Button>
        <IconButton icon="close" label={words.not} onClick={onClose} />
      </section>
    );
  return (
    <Dialog title={words.label} onClose={onClose}>
      <LineForm id={entry} line="" needed label={diary.line} cancel={words.not} onClose={close} />
    </Dialog>
  );
}
