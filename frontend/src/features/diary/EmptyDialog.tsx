import { diary } from "@/copy/diary";
import { EMPTY_DIARY } from "@/data/diary";
import { useWrite } from "@/data/mutation";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { ErrorNote } from "@/ui/States";

const words = diary.emptyDialog;

/** Asks before the diary is emptied: nothing brings it back. */
export default function EmptyDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { send, pending, trouble } = useWrite(EMPTY_DIARY);
  const empty = async () => {
    const { answer } = await send({});
    if (!answer) return;
    onClose();
    onDone();
  };
  const close = () => (pending ? undefined : onClose());
  return (
    <Dialog title={words.title} onClose={close}>
      <p>{words.text}</p>
      {trouble ? <ErrorNote message={diary.failed(trouble.message)} /> : null}
      <DialogActions>
        <Button look="quiet" data-first="" onClick={close}>
          {words.keep}
        </Button>
        <Button look="danger" pending={pending} onClick={() => void empty()}>
          {words.empty}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
