import { elsewhere as copy } from "@/copy/elsewhere";
import { useData } from "@/data/data";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { toast } from "@/ui/toast/store";
import { createListening } from "./listening";

const create = createListening(() => toast(copy.moved, "info"));

/** Keeps the member's place on all their devices, and asks where another of them plays. */
export function Elsewhere() {
  const listening = useData().part(create);
  const asked = useStore(listening.asked);
  if (!asked) return null;
  return (
    <Dialog title={copy.title} onClose={() => listening.answer(false)}>
      <p>{copy.playing(asked.title)}</p>
      <DialogActions>
        <Button onClick={() => listening.answer(false)}>{copy.stay}</Button>
        <Button look="primary" data-first onClick={() => listening.answer(true)}>
          {copy.here}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
