import type { ComponentType } from "react";
import { useEffect, useState } from "react";
import { elsewhere as copy } from "@/copy/elsewhere";
import { useData } from "@/data/data";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { toast } from "@/ui/toast/store";
import { createListening } from "./listening";
import { createLockScreen } from "./lock-screen";

const create = createListening(
  () => toast(copy.moved, "info"),
  () => toast(copy.notKept, "info"),
);

interface LineProps {
  entry: string;
  onClose: () => void;
}

/** The offer of a line for the diary, which few need: it comes when it is offered. Where it does not come, My Journey has the entry. */
function Line({ entry, onClose }: LineProps) {
  const [LineOffer, set] = useState<ComponentType<LineProps> | null>(null);
  useEffect(() => {
    void import("./LineOffer").then(
      (loaded) => set(() => loaded.LineOffer),
      () => undefined,
    );
  }, []);
  return LineOffer ? <LineOffer entry={entry} onClose={onClose} /> : null;
}

/** Keeps the member's place on all their devices, and asks where another of them plays; and has the lock screen show what is heard. */
export function Elsewhere() {
  const data = useData();
  const listening = data.part(create);
  data.part(createLockScreen);
  const asked = useStore(listening.asked);
  const line = useStore(listening.line);
  if (!asked) return line ? <Line key={line} entry={line} onClose={() => listening.line.set("")} /> : null;
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
