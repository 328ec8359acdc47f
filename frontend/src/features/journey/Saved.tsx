import { items } from "@/copy/items";
import { journey as copy } from "@/copy/journey";
import { library } from "@/copy/library";
import type { Item } from "@/data/items";
import { useLike, useSave } from "@/data/items";
import { SavedKind } from "@/gen/serein/web/v1/generator_pb";
import type { ArticleCard as Article, MeditationCard, Standing } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { useHeard, useHeldRecorded, usePlayer } from "@/player/hooks";
import { playerId, pressRecorded, recordedOf } from "@/player/of-library";
import { OverTile } from "@/player/OverPicture";
import { useLibrarySound } from "@/player/useLibrarySound";
import { ArticleCard } from "@/ui/ArticleCard";
import { ButtonLink } from "@/ui/Button";
import { SaveIcon } from "@/ui/ItemButtons";
import { MeditationTile } from "@/ui/MeditationTile";
import { toast } from "@/ui/toast/store";
import { Panel } from "./Panel";
import panel from "./Panel.module.css";
import css from "./Saved.module.css";
import { useSaved } from "./useSaved";

interface KeepProps {
  item: Item;
  title: string;
  standing: Standing | undefined;
}

/** Takes an item out of My Journey; another press takes it back in. */
function Keep({ item, title, standing }: KeepProps) {
  const save = useSave(item, standing);
  const press = async () => {
    const keeps = !save.on;
    if (await save.press()) toast(keeps ? library.added(title) : items.removed);
  };
  return <SaveIcon save={save} title={title} onPress={() => void press()} />;
}

/** One that was taken out just now stands there until the list is opened again. */
const looksOf = (standing: Standing | undefined) => (standing?.saved ? undefined : css.out);

function Meditations({ read }: { read: ReturnType<typeof useSaved> }) {
  const player = usePlayer();
  const heard = useHeard(player);
  const held = useHeldRecorded(player);
  const { track } = useLibrarySound(player, read.tracks);
  const tile = (m: MeditationCard) => (
    <MeditationTile
      key={m.id}
      as="h3"
      m={m}
      playing={heard === playerId(m)}
      onPress={() => pressRecorded(player, recordedOf(m, track))}
      over={held === playerId(m) ? <OverTile m={m} /> : null}
      actions={<Keep item={{ kind: ItemKind.MEDITATION, id: m.id }} title={m.title} standing={m.standing} />}
      className={looksOf(m.standing)}
    />
  );
  return <div className={panel.grid}>{read.meditations.map((m) => tile(m))}</div>;
}

function Story({ card }: { card: Article }) {
  const item = { kind: ItemKind.ARTICLE, id: card.id };
  return (
    <ArticleCard
      card={card}
      like={useLike(item, card.standing)}
      action={<Keep item={item} title={card.title} standing={card.standing} />}
      className={looksOf(card.standing)}
    />
  );
}

const KINDS = {
  introduction: SavedKind.INTRODUCTION,
  library: SavedKind.LIBRARY,
  articles: SavedKind.ARTICLE,
} as const;

interface SavedProps {
  of: keyof typeof KINDS;
  search: string;
  onClear: () => void;
}

/** The way to what can be saved; none to the library for those whose plan does not have it. */
function useWay(of: SavedProps["of"]) {
  const member = useMember();
  const hasLibrary = member?.admin || member?.plan?.entitlements.includes("library");
  if (of === "articles") return { to: paths.articles, text: copy.nothingSaved.read };
  return hasLibrary ? { to: paths.library, text: copy.openLibrary } : null;
}

/** What the member has saved of a kind. */
export default function Saved({ of, search, onClear }: SavedProps) {
  const read = useSaved(KINDS[of], search);
  const way = useWay(of);
  const action = way && (
    <ButtonLink look="primary" to={way.to}>
      {way.text}
    </ButtonLink>
  );
  return (
    <Panel
      title={copy[of]}
      read={read}
      shown={read.meditations.length + read.articles.length}
      total={read.total}
      search={search}
      onClear={onClear}
      nothing={{ title: copy.nothingSaved.title, text: copy.nothingSaved[of], action }}
    >
      {of === "articles" ? (
        <div className={css.stories}>
          {read.articles.map((card) => (
            <Story key={card.id} card={card} />
          ))}
        </div>
      ) : (
        <Meditations read={read} />
      )}
    </Panel>
  );
}
