import { kept } from "@/copy/kept";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import type { LeavingAsked } from "./leaving-store";

const words = kept.leaving;

/** Asks a member who signs out and keeps something on this device, which then goes. */
export default function Leaving({ asked: { count, bytes, answer } }: { asked: LeavingAsked }) {
  return (
    <Dialog title={words.title} onClose={() => answer(false)}>
      <p>{words.text(count, bytes)}</p>
      <DialogActions>
        <Button onClick={() => answer(false)}>{words.stay}</Button>
        <Button look="danger" onClick={() => answer(true)}>
          {words.out}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
