import type { ReactNode } from "react";
import { useId } from "react";
import { player as copy } from "@/copy/player";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { Range } from "@/ui/Choice";
import css from "./Sound.module.css";
import { usePlayer, usePlayerState } from "./hooks";
import { loopOf } from "./recording";

/** A small drawing for each sound; one we have no drawing for shows rings. */
const PICTURES: Record<string, ReactNode> = {
  rain: <path d="M22 12l-3 12M38 8l-4 16M54 14l-3 12M30 30l-3 12M46 28l-4 16M62 30l-3 12" />,
  ocean: <path d="M12 20q9-8 18 0t18 0 18 0M12 30q9-8 18 0t18 0 18 0M12 40q9-8 18 0t18 0 18 0" />,
  none: <circle cx="40" cy="28" r="12" strokeDasharray="2 4" />,
};
const RINGS = (
  <>
    <circle cx="40" cy="30" r="7" />
    <circle cx="40" cy="30" r="14" opacity=".7" />
    <circle cx="40" cy="30" r="21" opacity=".4" />
  </>
);

function Tile({ id, name, track }: { id: string; name: string; track?: AmbientTrack }) {
  const { chooseTrack } = usePlayer();
  const chosen = usePlayerState((now) => now.loop?.id ?? "none");
  return (
    <label className={css.tile}>
      <input
        type="radio"
        name="ambience"
        checked={chosen === id}
        onChange={() => chooseTrack(loopOf(track))}
      />
      <svg viewBox="0 0 80 56" aria-hidden="true">
        {PICTURES[id] ?? RINGS}
      </svg>
      {name}
    </label>
  );
}

/** As many as there usually are: their place is kept while the sounds are read. */
const PLACES = ["1", "2", "3"];

/** `tracks` is undefined while they are read. */
export function AmbienceTiles({ tracks }: { tracks: readonly AmbientTrack[] | undefined }) {
  return (
    <fieldset className={css.tiles} aria-busy={tracks === undefined}>
      <legend className="sr">{copy.ambience}</legend>
      {tracks
        ? tracks.map((track) => <Tile key={track.id} id={track.id} name={track.name} track={track} />)
        : PLACES.map((place) => <div key={place} className={css.place} />)}
      <Tile id="none" name={copy.none} />
    </fieldset>
  );
}

function Level({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const shown = Math.round(value * 100);
  return (
    <div className={css.level}>
      <label htmlFor={id}>{label}</label>
      <Range
        id={id}
        aria-label={`${label}, ${copy.volume}`}
        className={css.range}
        min={0}
        max={100}
        value={shown}
        onChange={(event) => onChange(Number(event.target.value) / 100)}
      />
      <output htmlFor={id}>{shown}</output>
    </div>
  );
}

/** The two volumes, apart from each other; a meditation without a sound has one, and so has a device that sets the voice's by its buttons. */
export function Levels({ tracks }: { tracks: readonly AmbientTrack[] }) {
  const { engine } = usePlayer();
  const canSetVoice = usePlayerState((now) => now.canSetVoice);
  const voice = usePlayerState((now) => now.voiceVolume);
  const ambience = usePlayerState((now) => now.ambienceVolume);
  const chosen = usePlayerState((now) => now.loop?.id ?? "");
  const name = tracks.find((t) => t.id === chosen)?.name;
  return (
    <>
      {canSetVoice ? (
        <Level label={copy.voice} value={voice} onChange={(v) => engine.setVolumes({ voice: v })} />
      ) : null}
      {name ? (
        <Level label={name} value={ambience} onChange={(v) => engine.setVolumes({ ambience: v })} />
      ) : null}
    </>
  );
}
