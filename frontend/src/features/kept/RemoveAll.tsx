import { useEffect, useState } from "react";
import { kept as copy } from "@/copy/kept";
import { useData } from "@/data/data";
import { createKept } from "@/data/kept/kept";
import type { KeptItem } from "@/data/kept/records";
import { bytesOf } from "@/data/kept/records";
import type { Player } from "@/player/player";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import css from "./Kept.module.css";

/** Bytes that may still be kept here; undefined where the browser does not say. */
function useRoom(): number | undefined {
  const kept = useData().part(createKept);
  const [room, set] = useState<number>();
  useEffect(() => {
    const look = () => void kept.room().then(set, () => undefined);
    look();
    return kept.now.subscribe(look);
  }, [kept]);
  return room;
}

/** How much is kept here, and the way to remove it all. */
export function RemoveAll({ items, player }: { items: readonly KeptItem[]; player: Player | null }) {
  const kept = useData().part(createKept);
  const room = useRoom();
  const [asked, ask] = useState(false);
  const bytes = bytesOf(items);
  const remove = async () => {
    if (items.some(({ id }) => id === player?.id)) player?.close();
    await kept.remove(items.map(({ id }) => id));
  };
  return (
    <div className={css.sum}>
      <p className="tnum">
        {copy.total(items.length, bytes)} {room === undefined ? "" : copy.room(room)}
      </p>
      <Button small onClick={() => ask(true)}>
        {copy.removeAll}
      </Button>
      {asked ? (
        <Dialog title={copy.all.title} onClose={() => ask(false)}>
          <p>{copy.all.text(items.length, bytes)}</p>
          <DialogActions>
            <Button onClick={() => ask(false)}>{copy.all.keep}</Button>
            <Button look="danger" onClick={() => void remove()}>
              {copy.removeAll}
            </Button>
          </DialogActions>
        </Dialog>
      ) : null}
    </div>
  );
}
