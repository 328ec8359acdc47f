import { useId } from "react";
import { library as copy } from "@/copy/library";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { ListMeditationsResponse } from "@/gen/serein/web/v1/library_pb";
import { useInBrowser } from "@/lib/in-browser";
import { Each, field, useFill } from "@/lib/template";
import { IconButton } from "@/ui/Button";
import { Segmented } from "@/ui/Choice";
import { SelectBox } from "@/ui/Field";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import { SearchField } from "@/ui/SearchField";
import type { useLibraryFilters } from "./filters";
import css from "./Library.module.css";
import type { useLibrarySound } from "@/player/useLibrarySound";
import { NONE } from "@/player/library-sound";

function Kind({ icon, name, count }: { icon: IconName; name: string; count: string | null }) {
  return (
    <>
      <Icon name={icon} />
      {name} {count === null ? null : <span className={css.count}>{count}</span>}
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
  sound: ReturnType<typeof useLibrarySound>;
}) {
  const id = useId();
  // While the markup is taken over the browser shows the first there is.
  const inBrowser = useInBrowser();
  return (
    <>
      <label htmlFor={id}>{copy.sound}</label>
      <SelectBox
        id={id}
        className={css.sound}
        value={inBrowser ? sound.chosen : ""}
        onChange={(event) => sound.choose(event.target.value)}
      >
        <Each of={tracks}>
          {(track) => (
            <option key={track.id} value={track.id}>
              {track.name}
            </option>
          )}
        </Each>
        <option value={NONE}>{copy.none}</option>
      </SelectBox>
    </>
  );
}

interface BarProps {
  by: ReturnType<typeof useLibraryFilters>;
  head: ListMeditationsResponse | undefined;
  tracks: readonly AmbientTrack[];
  sound: ReturnType<typeof useLibrarySound>;
}

/** Which kind, with which sound, and by which words. */
export function Bar({ by, head, tracks, sound }: BarProps) {
  const { kind } = by.filters;
  const fill = useFill();
  const count = (of: "voice" | "immersive") => (head ? fill(field(head, of)) : null);
  return (
    <div className={css.bar}>
      <Segmented
        className={css.kinds}
        label={copy.kind}
        value={kind}
        onChange={by.setKind}
        options={[
          {
            value: "voice",
            label: <Kind icon="voice" name={copy.voice} count={count("voice")} />,
          },
          {
            value: "immersive",
            label: <Kind icon="headphones" name={copy.immersive} count={count("immersive")} />,
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
