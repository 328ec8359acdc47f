import { timestampMs } from "@bufbuild/protobuf/wkt";
import { sceneOf } from "@/art/meditation-scene";
import { own as words } from "@/copy/own";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { useSecond } from "@/lib/clock";
import type { Left } from "@/lib/countdown";
import { sayLeft, timeLeft } from "@/lib/countdown";
import { formatDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import { usePlayer } from "@/player/hooks";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Card } from "@/ui/Card";
import css from "./DeletedCard.module.css";
import { Disc } from "./Disc";
import { KEPT_MS, leftWords, minutes } from "./model";

/** How long it can be brought back, on the faded print. */
function Countdown({ left, share }: { left: Left; share: number }) {
  const [most, rest] = leftWords(left);
  return (
    <Disc share={share} label={sayLeft(left)} className={left.soon ? css.soon : undefined}>
      <b aria-hidden="true">{most}</b>
      <span aria-hidden="true">{rest}</span>
    </Disc>
  );
}

const Gone = (
  <Disc share={0}>
    <span className={css.gone}>{words.deleted}</span>
  </Disc>
);

/** One that is marked deleted: it is played, and brought back, until its time is over. Then its title is all that is left. */
export function DeletedCard({ m, onRecover }: { m: Meditation; onRecover: () => void }) {
  const player = usePlayer();
  const at = m.deletesAt ? timestampMs(m.deletesAt) : 0;
  const left = timeLeft(at, useSecond() * 1000);
  const gone = left.over || m.stage === Stage.DELETED;
  const heard = !gone && m.stage === Stage.READY;
  const share = (at - useSecond() * 1000) / KEPT_MS;
  const open = () => {
    player.engine.unlock();
    player.open(m.id, { play: true });
  };
  return (
    <div className={css.one}>
      <Card
        {...(heard && { to: paths.listen(m.id), onOpen: open, length: minutes(Number(m.expectedMs)) })}
        artClass={css.pale}
        title={m.title}
        scene={sceneOf(m.typeId)}
        seed={m.title}
        over={gone ? Gone : <Countdown left={left} share={share} />}
        facts={[gone ? words.nothingLeft : words.deletedOn(formatDate(at - KEPT_MS))]}
      />
      {gone ? null : (
        <Button small aria-label={words.recoverOf(m.title)} onClick={onRecover}>
          <Icon name="undo" />
          {words.recover}
        </Button>
      )}
    </div>
  );
}
