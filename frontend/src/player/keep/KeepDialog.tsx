import { useState } from "react";
import { kept as copy } from "@/copy/kept";
import { formatLongDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { ErrorNote } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import type { Keepable } from "@/data/kept/records";
import { bytesOf } from "@/data/kept/records";
import css from "./KeepDialog.module.css";
import type { Offer, Wish } from "./keepable";
import { wishOf } from "./keepable";
import { useKept } from "./useKept";
import { useKeeping } from "./useKeeping";

const words = copy.dialog;

/** Until when it can be heard here, before it is kept and after. */
function endOf({ kind, until }: Pick<Keepable, "kind" | "until">): string {
  if (until) return words.plan(formatLongDate(until));
  return kind === "bespoke" ? words.own : words.always;
}

interface Props {
  wish: Wish;
  onClose: () => void;
}

/** It is here: what it takes, and the way to remove it. */
function Here({ wish, bytes, onClose }: Props & { bytes: number }) {
  const { kept, now } = useKept();
  const item = now?.items.find(({ id }) => id === wish.id);
  const remove = async () => {
    await kept.remove([wish.id]);
    toast(words.removed(wish.title));
    onClose();
  };
  return (
    <>
      <p role="status">{words.done(bytes)}</p>
      {item ? <p>{endOf(item)}</p> : null}
      <p>
        <Link to={paths.kept}>{words.see}</Link>
      </p>
      <DialogActions>
        <Button onClick={() => void remove()}>{words.remove}</Button>
      </DialogActions>
    </>
  );
}

function Steps({ wish, onClose }: Props) {
  const { now, keep, retry } = useKeeping(wish);
  if (now.step === "kept") return <Here wish={wish} bytes={now.bytes} onClose={onClose} />;
  if (now.step === "failed") {
    const again = now.why === "gone" || now.why === "unable" ? undefined : retry;
    return <ErrorNote message={copy.trouble[now.why]} onRetry={again} />;
  }
  if (now.step === "measuring") return <p role="status">{words.measuring}</p>;
  if (now.step === "keeping")
    return (
      <>
        <progress
          className={css.progress}
          value={now.done}
          max={now.bytes}
          aria-label={words.progress}
          aria-valuetext={words.keeping(now.done, now.bytes)}
        />
        <p className="tnum">{words.keeping(now.done, now.bytes)}</p>
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
        </DialogActions>
      </>
    );
  const { of, bytes, room } = now;
  const full = room !== undefined && room < bytes;
  return (
    <>
      <p role="status">{words.size(bytes)}</p>
      {room === undefined ? null : <p>{words.room(room)}</p>}
      <p>{endOf(of)}</p>
      {full ? <ErrorNote message={copy.trouble.full} /> : null}
      <DialogActions>
        <Button look="primary" unavailable={full} onClick={() => void keep(of, bytes)}>
          {words.keep}
        </Button>
      </DialogActions>
    </>
  );
}

/** Says what keeping a recording takes and until when it lasts, and keeps it; of one that is kept already, how much it takes here. */
export default function KeepDialog({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const [wish] = useState(() => wishOf(offer));
  const { now, mine } = useKept();
  const item = mine ? now?.items.find(({ id }) => id === wish.id) : undefined;
  return (
    <Dialog title={item ? copy.isKept(wish.title) : words.title(wish.title)} onClose={onClose}>
      <div className={css.text}>
        {now === null ? <p role="status">{words.measuring}</p> : null}
        {now && item ? <Here wish={wish} bytes={bytesOf([item])} onClose={onClose} /> : null}
        {now && !item ? <Steps wish={wish} onClose={onClose} /> : null}
      </div>
    </Dialog>
  );
}
