import { kept as copy, sizeOf } from "@/copy/kept";
import type { KeptItem } from "@/data/kept/records";
import { bytesOf } from "@/data/kept/records";
import { paths } from "@/lib/paths";
import { useLaterPlayer, useHeard, useNowPlaying } from "@/player/hooks";

import { useKept } from "@/player/keep/useKept";
import { OverPicture } from "@/player/OverPicture";
import type { Player } from "@/player/player";
import { Transcript } from "@/player/Transcript";
import { player as playing } from "@/copy/player";
import { ButtonLink, IconButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, Note } from "@/ui/States";
import css from "./Kept.module.css";
import { RemoveAll } from "./RemoveAll";
import { Sounds } from "./Sounds";
import { usePress } from "./usePress";
import { useStep } from "./useStep";

const factsOf = (item: KeptItem): (string | false)[] => [
  item.narrator,
  sizeOf(bytesOf([item])),
  item.until ? copy.until(item.until) : item.kind === "bespoke" && copy.yours,
];

interface OneProps {
  item: KeptItem;
  player: Player | null;
  heard: boolean;
  held: boolean;
  onRemove: () => void;
}

function One({ item, player, heard, held, onRemove }: OneProps) {
  const press = usePress(player, item);
  return (
    <Card
      as="h2"
      title={item.title}
      press={{ name: heard ? playing.pauseTitle(item.title) : playing.playTitle(item.title), run: press }}
      picture={item.picture ? <img src={item.picture} alt="" /> : null}
      scene={item.scene}
      seed={item.seed}
      playing={heard}
      length={held ? null : copy.minutes(item.lengthMs)}
      over={held ? <OverPicture id={item.id} title={item.title} lengthMs={item.lengthMs} /> : null}
      facts={factsOf(item)}
      action={<IconButton icon="bin" label={copy.remove(item.title)} onClick={onRemove} />}
    />
  );
}

/** The words of what is in the player. */
function Words({ player, items }: { player: Player | null; items: readonly KeptItem[] }) {
  const now = useNowPlaying(player);
  const item = items.find(({ id }) => id === now?.recorded?.id);
  if (!item || item.words.length === 0) return null;
  return (
    <section className={css.part} aria-labelledby="kept-words">
      <h2 id="kept-words">{copy.words}</h2>
      <Transcript script={item.words} className={css.words} />
    </section>
  );
}

const Nothing = () => (
  <Empty
    as="h2"
    title={copy.empty.title}
    action={
      <ButtonLink look="primary" to={paths.journey}>
        {copy.empty.action}
      </ButtonLink>
    }
  >
    {copy.empty.text}
  </Empty>
);

/** What the member has kept, as far as it is theirs to see. */
function Here() {
  const { kept, now, mine } = useKept();
  const player = useLaterPlayer();
  const heard = useHeard(player);
  const held = useNowPlaying(player)?.recorded?.id;
  if (!now) return <PageLoader label={copy.dialog.measuring} />;
  if (!mine && now.keeper.uid)
    return (
      <Empty as="h2" title={copy.hidden.title}>
        {copy.hidden.text}
      </Empty>
    );
  const items = mine ? now.items : [];
  const recordings = items.filter(({ kind }) => kind !== "track");
  const remove = (id: string) => {
    if (player?.id === id) player.close();
    void kept.remove([id]);
  };
  return (
    <>
      {items.length > 0 ? <RemoveAll items={items} player={player} /> : <Nothing />}
      <div className={css.grid}>
        {recordings.map((item) => (
          <One
            key={item.id}
            item={item}
            player={player}
            heard={heard === item.id}
            held={held === item.id}
            onRemove={() => remove(item.id)}
          />
        ))}
      </div>
      <Words player={player} items={recordings} />
      <Sounds items={items} onRemove={remove} />
    </>
  );
}

/** What is kept on this device: to listen to without a connection, and to remove. */
export function Kept() {
  const said = useStep();
  return (
    <div className="wrap">
      <PageHead title={copy.page} lead={copy.lead} />
      {said.map((sentence) => (
        <Note key={sentence} role="status">
          {sentence}
        </Note>
      ))}
      <Here />
    </div>
  );
}
