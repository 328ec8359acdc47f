import { sceneOf } from "@/art/meditation-scene";
import { generator as copy } from "@/copy/generator";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { useMember } from "@/lib/session";
import { usePlayer, usePlayerState } from "@/player/hooks";
import { OverPicture } from "@/player/OverPicture";
import { Cover } from "./Cover";
import css from "./Artwork.module.css";

/** The finished print; the ring over it plays. */
export function Artwork({ meditation: m }: { meditation: Meditation }) {
  const name = useMember()?.givenName ?? "";
  const player = usePlayer();
  const wanted = usePlayerState((now) => now.wanted && now.recording?.id === m.id);
  const press = () => (wanted ? player.engine.pause() : player.open(m.id, { play: true }));
  const lengthMs = Number(m.expectedMs);
  return (
    <div className={css.print}>
      <Cover
        scene={sceneOf(m.typeId)}
        seed={m.title}
        theme="light"
        over={<OverPicture id={m.id} title={m.title} lengthMs={lengthMs} onPress={press} />}
        className={css.cover}
        textClass={css.text}
      >
        <p>
          <span>{copy.made.for(name)}</span>
          <span>{formatClock(lengthMs)}</span>
        </p>
      </Cover>
    </div>
  );
}
