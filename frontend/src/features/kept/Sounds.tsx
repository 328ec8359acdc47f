import { create } from "@bufbuild/protobuf";
import { kept as copy, sizeOf } from "@/copy/kept";
import { useGeneratorPage } from "@/data/generator-page";
import type { KeptItem } from "@/data/kept/records";
import { bytesOf } from "@/data/kept/records";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { AmbientTrackSchema } from "@/gen/serein/web/v1/generator_pb";
import { useMember } from "@/lib/session";
import { usePlayerState } from "@/player/hooks";
import { KeepButton } from "@/player/keep/KeepButton";
import { AmbienceTiles } from "@/player/Sound";
import { IconButton } from "@/ui/Button";
import css from "./Kept.module.css";

/** A kept sound as the tiles of sounds take it. */
const trackOf = ({ title, loop }: KeptItem): AmbientTrack =>
  create(AmbientTrackSchema, {
    id: loop?.id ?? "",
    name: title,
    url: loop?.url ?? "",
    loopStartMs: loop?.startMs ?? 0,
    loopLengthMs: loop?.lengthMs ?? 0,
  });

/** The sounds that go beneath: those that are kept can be chosen for what is in the player, the others can be kept. */
export function Sounds({ items, onRemove }: { items: readonly KeptItem[]; onRemove: (id: string) => void }) {
  const member = useMember();
  const { data } = useGeneratorPage();
  const playing = usePlayerState((now) => now.recording !== null);
  const own = items.filter(({ kind }) => kind === "track");
  const others = member
    ? (data?.tracks ?? []).filter(({ id }) => !own.some(({ loop }) => loop?.id === id))
    : [];
  if (own.length + others.length === 0) return null;
  return (
    <section className={css.part} aria-labelledby="kept-sounds">
      <h2 id="kept-sounds">{copy.sounds.title}</h2>
      <p className="muted">{copy.sounds.text}</p>
      {playing && own.length > 0 ? <AmbienceTiles tracks={own.map(trackOf)} /> : null}
      <ul className={css.sounds}>
        {own.map((item) => (
          <li key={item.id}>
            <span>{item.title}</span>
            <span className="muted tnum">{sizeOf(bytesOf([item]))}</span>
            <IconButton icon="bin" label={copy.remove(item.title)} onClick={() => onRemove(item.id)} />
          </li>
        ))}
        {others.map((track) => (
          <li key={track.id}>
            <span>{track.name}</span>
            <KeepButton offer={{ sound: track }} title={track.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
