import { library as copy } from "@/copy/library";
import { useLike, useSave } from "@/data/items";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { LikeIcon, SaveIcon } from "@/ui/ItemButtons";
import { toast } from "@/ui/toast/store";
import css from "./Library.module.css";

/** The heart and the bookmark of a meditation. */
export function Acts({ m }: { m: MeditationCard }) {
  const item = { kind: ItemKind.MEDITATION, id: m.id };
  const like = useLike(item, m.standing);
  const save = useSave(item, m.standing);
  const keep = async () => {
    // It is taken out of My Journey there, not here.
    if (save.on) return toast(copy.already(m.title), "info");
    const answer = await save.press();
    if (answer) toast(answer.changed ? copy.added(m.title) : copy.already(m.title));
  };
  return (
    <>
      <LikeIcon like={like} title={m.title} />
      <SaveIcon save={save} title={m.title} onPress={() => void keep()} />
    </>
  );
}

/** The place of both, until it is known what this member likes and keeps. */
export const Awaited = (
  <>
    <span className={css.awaited} />
    <span className={css.awaited} />
  </>
);
