import { download as keeping } from "@/copy/download";
import { journey as copy } from "@/copy/journey";
import { own as words } from "@/copy/own";
import { useLive } from "@/data/live-meditations";
import { usePlayer } from "@/player/hooks";
import { sceneOf } from "@/art/meditation-scene";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { now } from "@/lib/clock";
import { download } from "@/lib/download";
import { formatClock } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Menu } from "@/ui/Menu";
import { Card } from "@/ui/Card";
import css from "./BespokeCard.module.css";
import { Disc } from "./Disc";
import { madeOn, minutes, cardState, soundOf } from "./model";

const dayOf = (m: Meditation): string => (m.createdAt ? madeOn(timestampMs(m.createdAt), now()) : "");

interface CardProps {
  m: Meditation;
  acts: OwnActs;
}

/** What can be done with one that has come to its end. */
export interface OwnActs {
  rename: (m: Meditation) => void;
  share: (m: Meditation) => void;
  /** On this device. */
  keep: (m: Meditation) => void;
  mark: (m: Meditation) => void;
}

const More = ({ m, acts }: CardProps) => (
  <Menu
    label={words.more(m.title)}
    items={[
      { name: words.rename, run: () => acts.rename(m) },
      // What was refunded has no sound to share or to keep.
      ...(cardState(m.stage) === "ready"
        ? [
            { name: words.share, run: () => acts.share(m) },
            { name: keeping.keep, run: () => acts.keep(m) },
            { name: keeping.action, run: () => download(m.id) },
          ]
        : []),
      { name: words.mark, run: () => acts.mark(m) },
    ]}
  />
);

/** A plate of something finished: its press plays it in the full player. */
function Ready({ m, acts }: CardProps) {
  const player = usePlayer();
  return (
    <Card
      to={paths.listen(m.id)}
      onOpen={() => {
        player.engine.unlock();
        player.open(m.id, { play: true });
      }}
      title={m.title}
      scene={sceneOf(m.typeId)}
      seed={m.title}
      length={minutes(Number(m.expectedMs))}
      facts={[dayOf(m), m.endedEarly ? copy.endedEarly : soundOf(m)]}
      actions={<More m={m} acts={acts} />}
    />
  );
}

/** What did not come to an end keeps its answers behind its link. What was refunded did, and stays until it is deleted. */
function Unfinished({ m, tag, acts }: CardProps & { tag: string }) {
  const refunded = cardState(m.stage) === "refunded";
  return (
    <Card
      artClass={css.pale}
      to={paths.meditation(m.id)}
      title={m.title}
      scene={sceneOf(m.typeId)}
      seed={m.title}
      tag={tag}
      facts={[dayOf(m), refunded ? copy.refundedFact : copy.failedFact]}
      actions={refunded ? <More m={m} acts={acts} /> : null}
    />
  );
}

/** Being made: the ring fills as the words arrive. */
function Making({ m: listed, acts }: CardProps) {
  const m = useLive(listed.id).meditation ?? listed;
  const state = cardState(m.stage);
  if (state === "ready") return <Ready m={m} acts={acts} />;
  if (state !== "making") return <Unfinished m={m} acts={acts} tag={copy.states[state]} />;
  const [ready, all] = [Number(m.readyMs), Number(m.expectedMs)];
  const over = (
    <Disc share={all > 0 ? ready / all : 0} ringClass={css.ring}>
      <b>{formatClock(ready)}</b>
      <span>{copy.ready}</span>
    </Disc>
  );
  return (
    <Card
      artClass={css.dimmed}
      to={paths.meditation(m.id)}
      title={m.title}
      scene={sceneOf(m.typeId)}
      seed={m.title}
      tag={copy.states.making}
      over={over}
      facts={[dayOf(m), soundOf(m)]}
    />
  );
}

export function BespokeCard({ m, acts }: CardProps) {
  const state = cardState(m.stage);
  if (state === "ready") return <Ready m={m} acts={acts} />;
  if (state === "making") return <Making m={m} acts={acts} />;
  return <Unfinished m={m} acts={acts} tag={copy.states[state]} />;
}
