import type { MouseEvent } from "react";
import { Suspense, useState } from "react";
import { library as copy } from "@/copy/library";
import { items } from "@/copy/items";
import { useLike, useSave } from "@/data/items";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { preloadable } from "@/lib/preloadable";
import { KeepButton } from "@/player/keep/KeepButton";
import { IconButton } from "@/ui/Button";
import { LikeIcon, SaveIcon } from "@/ui/ItemButtons";
import { toast } from "@/ui/toast/store";
import css from "./Library.module.css";

const ShareDialog = preloadable(() => import("./ShareDialog"));

function ShareIcon({ m }: { m: MeditationCard }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="share" label={items.shareOf(m.title)} onClick={() => setOpen(true)} />
      {open ? (
        <Suspense>
          <ShareDialog m={m} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The heart and the bookmark of a meditation, and the ways to pass it on and to keep it on this device, with the sound beneath it now. */
export function Acts({ m, track }: { m: MeditationCard; track: AmbientTrack | undefined }) {
  const item = { kind: ItemKind.MEDITATION, id: m.id };
  const like = useLike(item, m.standing);
  const save = useSave(item, m.standing);
  const keep = async ({ detail }: MouseEvent) => {
    // A double click is one wish: its second press would answer that it is kept already.
    if (save.pending || detail > 1) return;
    // It is taken out of My Journey there, not here.
    if (save.on) return toast(copy.already(m.title), "info");
    const answer = await save.press();
    if (answer) toast(answer.changed ? copy.added(m.title) : copy.already(m.title));
  };
  return (
    <>
      <LikeIcon like={like} title={m.title} />
      <SaveIcon save={save} title={m.title} onPress={(event) => void keep(event)} />
      <ShareIcon m={m} />
      {m.audioUrl ? <KeepButton offer={{ card: m, track }} title={m.title} /> : null}
    </>
  );
}

/** The place of the four, until it is known what this member likes and keeps. */
export const Awaited = (
  <>
    <span className={css.awaited} />
    <span className={css.awaited} />
    <span className={css.awaited} />
    <span className={css.awaited} />
  </>
);
