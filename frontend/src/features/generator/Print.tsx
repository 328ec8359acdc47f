import { sceneOf } from "@/art/meditation-scene";
import { generator as copy } from "@/copy/generator";
import { player as playerCopy } from "@/copy/player";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { useMember } from "@/lib/session";
import { usePlayer, usePlayerState } from "@/player/hooks";
import { Icon } from "@/ui/Icon";
import { Cover } from "./Cover";
import css from "./Print.module.css";

/** The finished print; its button plays. */
export function Print({ meditation: m }: { meditation: Meditation }) {
  const name = useMember()?.givenName ?? "";
  const player = usePlayer();
  const wanted = usePlayerState((now) => now.wanted && now.recording?.id === m.id);
  const press = () => (wanted ? player.engine.pause() : player.open(m.id, { play: true }));
  const play = (
    <button
      type="button"
      className={css.play}
      aria-label={wanted ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title)}
      onClick={press}
    >
      <Icon name={wanted ? "pause" : "play"} />
    </button>
  );
  return (
    <div className={css.print}>
      <Cover
        scene={sceneOf(m.typeId)}
        seed={m.title}
        theme="light"
        over={play}
        className={css.cover}
        textClass={css.text}
      >
        <p>
          <span>{copy.made.for(name)}</span>
          <span>{formatClock(Number(m.expectedMs))}</span>
        </p>
      </Cover>
    </div>
  );
}
