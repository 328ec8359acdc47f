import type { FormEvent, ReactNode } from "react";
import { notNow } from "@/copy/not-now";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { takeFilled } from "./form/filled";
import { ErrorNote } from "./States";
import css from "./FormDialog.module.css";

interface FormDialogProps {
  title: string;
  lead: string;
  /** What sending it is called. */
  action: string;
  pending: boolean;
  trouble: string;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A few fields in a dialog. While its request is under way it stays, so that what comes of it is seen. */
export function FormDialog({
  title,
  lead,
  action,
  pending,
  trouble,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const close = () => (pending ? undefined : onClose());
  const send = (event: FormEvent) => {
    takeFilled(event);
    void onSubmit(event);
  };
  return (
    <Dialog title={title} onClose={close}>
      <p className={css.lead}>{lead}</p>
      <form className={css.form} noValidate onSubmit={send}>
        {children}
        {trouble ? <ErrorNote message={trouble} /> : null}
        <DialogActions>
          <Button look="quiet" onClick={close}>
            {notNow}
          </Button>
          <Button look="primary" type="submit" pending={pending}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
