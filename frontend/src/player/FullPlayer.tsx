import { useRef } from "react";
import { Link } from "react-router";
import { player as copy } from "@/copy/player";
import type { AmbientTrack, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { useNight } from "@/lib/night";
import { Icon } from "@/ui/Icon";
import { Elapsed, useLeft } from "./Clock";
import { Controls, useStatus } from "./Controls";
import { Dial } from "./Dial";
import { useFullPlayer } from "./hooks";
import type { ScriptItem } from "./recording";
import { AmbienceTiles, Levels } from "./Sound";
import { StageArt } from "@/ui/StageArt";
import { Transcript } from "./Transcript";
import "@/styles/components/mini.css";
import "./player.css";

function Inside({ previewMs }: { previewMs: number | null }) {
  const left = useLeft(previewMs);
  return (
    <>
      <Elapsed previewMs={previewMs} />
      <span>{copy.left(formatClock(left))}</span>
    </>
  );
}

function Status() {
  return (
    <p className="player__status" role="status">
      {useStatus()}
    </p>
  );
}

interface FullPlayerProps {
  meditation: Meditation;
  script: readonly ScriptItem[];
  tracks: readonly AmbientTrack[];
  /** Where "Keep browsing" leads. */
  back: string;
}

/** The night stage: transcript, ring, and the sound around the voice. */
export function FullPlayer({ meditation: m, script, tracks, back }: FullPlayerProps) {
  const ref = useRef<HTMLDivElement>(null);
  useNight(true);
  useFullPlayer();
  return (
    <div className="player" data-theme="dark" ref={ref}>
      <StageArt around={ref} seed={4} />
      <div className="player__top">
        <Link className="icon-btn" to={back} aria-label={copy.keepBrowsingLabel}>
          <Icon name="down" />
        </Link>
        <span className="small muted" aria-hidden="true">
          {copy.keepBrowsing}
        </span>
      </div>
      <div className="player__grid">
        <Transcript script={script} />
        <section className="player__centre" aria-label={copy.region}>
          <div>
            <h1>{m.title}</h1>
            <p className="player__meta">{copy.readBy(m.typeName, m.narratorName)}</p>
          </div>
          <div data-ring>
            <Dial script={script}>{(previewMs) => <Inside previewMs={previewMs} />}</Dial>
          </div>
          <div className="player__buttons">
            <Controls />
            <Status />
          </div>
        </section>
        <section className="player__side" aria-label={copy.sound}>
          {m.immersive ? (
            <div>
              <h2>{copy.around}</h2>
              <AmbienceTiles tracks={tracks} />
            </div>
          ) : null}
          <Levels tracks={tracks} />
        </section>
      </div>
    </div>
  );
}
