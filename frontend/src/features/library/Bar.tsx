import { useId } from "react";
import { library as copy } from "@/copy/library";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { ListMeditationsResponse } from "@/gen/serein/web/v1/library_pb";
import { IconButton } from "@/ui/Button";
import { Segmented } from "@/ui/Choice";
import { SelectBox } from "@/ui/Field";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import { SearchField } from "@/ui/SearchField";
import type { useLibraryFilters } from "./filters";
import css from "./Library.module.css";
import type { useSound } from "./useSound";
import { NONE } from "./useSound";

function Kind({ icon, name, count }: { icon: IconName; name: string; count: number | undefined }) {
  return (
    <>
      <Icon name={icon} />
      {name} {count === undefined ? null : <span className={css.count}>{count}</span>}
    </>
  );
}

/** What the two kinds are: a native popover. */
function About() {
  const id = useId();
  return (
    <>
      <IconButton icon="info" label={copy.kinds.open} popoverTarget={id} />
      <div className={css.tip} id={id} popover="auto">
        <IconButton
          icon="close"
          label={copy.kinds.close}
          popoverTarget={id}
          popoverTargetAction="hide"
          className={css.close}
        />
        <h2>{copy.kinds.title}</h2>
        <p>{copy.kinds.text}</p>
      </div>
    </>
  );
}

function SoundBeneath({
  tracks,
  sound,
}: {
  tracks: readonly AmbientTrack[];
  sound: ReturnType<typeof useSound>;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{copy.sound}</label>
      <SelectBox
        id={id}
        className={css.sound}
        value={sound.chosen}
        onChange={(event) => sound.choose(event.target.value)}
      >
        {tracks.map((track) => (
          <option key={track.id} value={track.id}>
            {track.name}
          </option>
        ))}
        <option value={NONE}>{copy.none}</option>
      </SelectBox>
    </>
  );
}

interface BarProps {
  by: ReturnType<typeof useLibraryFilters>;
  head: ListMeditationsResponse | undefined;
  tracks: readonly AmbientTrack[];
  sound: ReturnType<typeof useSound>;
}

/** Which kind, with which sound, and by which words. */
export function Bar({ by, head, tracks, sound }: BarProps) {
  const { kind } = by.filters;
  return (
    <div className={css.bar}>
      <Segmented
        className={css.kinds}
        label={copy.kind}
        value={kind}
        onChange={by.setKind}
        options={[
          { value: "voice", label: <Kind icon="voice" name={copy.voice} count={head?.voice} /> },
          {
            value: "immersive",
            label: <Kind icon="headphones" name={copy.immersive} count={head?.immersive} />,
          },
        ]}
      />
      <div className={css.with}>
        {kind === "immersive" ? <SoundBeneath tracks={tracks} sound={sound} /> : null}
        <About />
      </div>
      <SearchField className={css.search} label={copy.search} value={by.typed} onChange={by.type} />
    </div>
  );
}
