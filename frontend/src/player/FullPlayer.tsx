import type { ReactNode } from "react";
import { useRef } from "react";
import { Link } from "@/lib/router";
import { download as keeping } from "@/copy/download";
import { player as copy } from "@/copy/player";
import type { AmbientTrack, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { download } from "@/lib/download";
import { formatClock } from "@/lib/format";
import { useNight } from "@/lib/night";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Elapsed, useLeft } from "./Clock";
import { Controls, Status } from "./Controls";
import { Dial } from "./Dial";
import css from "./FullPlayer.module.css";
import { useShown } from "./hooks";
import { KeepButton } from "./keep/KeepButton";
import { NextStep } from "./NextStep";
import type { ScriptItem } from "./recording";
import { SleepTimer } from "./more/SleepTimer";
import { Speed } from "./more/Speed";
import { AmbienceTiles, Levels } from "./Sound";
import { ShareButton } from "./share/ShareButton";
import { StageArt } from "@/ui/StageArt";
import { Transcript } from "./Transcript";

function Inside({ previewMs }: { previewMs: number | null }) {
  const left = useLeft(previewMs);
  return (
    <>
      <Elapsed previewMs={previewMs} />
      <span>{copy.left(formatClock(left))}</span>
    </>
  );
}

interface FullPlayerProps {
  meditation: Meditation;
  script: readonly ScriptItem[];
  /** undefined while they are read. */
  tracks: readonly AmbientTrack[] | undefined;
  /** Where "Keep browsing" leads. */
  back: string;
  /** What has to be known of it, above the controls. */
  notice?: ReactNode;
}

/** The night stage: transcript, ring, and the sound around the voice. */
export function FullPlayer({ meditation: m, script, tracks, back, notice }: FullPlayerProps) {
  const ref = useRef<HTMLDivElement>(null);
  useNight(true);
  const held = useShown(m.id, { replace: true });
  return (
    <div className={css.player} data-theme="dark" ref={ref}>
      <StageArt around={ref} seed={4} className={css.art} />
      <div className={css.top}>
        <Link className={css.back} to={back} aria-label={copy.keepBrowsingLabel}>
          <Icon name="down" />
          <span>{copy.keepBrowsing}</span>
        </Link>
        {notice ? <div className={css.notice}>{notice}</div> : null}
        <div className={css.acts}>
          <KeepButton offer={{ own: m }} title={m.title} />
          <IconButton icon="download" label={keeping.action} onClick={() => download(m.id)} />
          <ShareButton id={m.id} title={m.title} icon />
        </div>
      </div>
      <div className={css.grid}>
        <section className={css.centre} aria-label={copy.region}>
          <div>
            <h1 className={css.title}>{m.title}</h1>
            <p className={css.meta}>{copy.readBy(m.typeName, m.narratorName)}</p>
          </div>
          <div data-ring>
            <Dial script={script} className={css.dial}>
              {(previewMs) => <Inside previewMs={previewMs} />}
            </Dial>
          </div>
          <div className={css.buttons}>
            <Controls held={held} />
            <Status className={css.status} />
            <NextStep className={css.next} />
          </div>
        </section>
        <Transcript script={script} />
        <section className={css.side} aria-label={copy.sound}>
          <div>
            <h2 className={css.heading}>{copy.around}</h2>
            <AmbienceTiles tracks={tracks} />
          </div>
          <div className={css.levels}>
            <Levels tracks={tracks ?? (m.track ? [m.track] : [])} />
          </div>
          <Speed className={css.heading} />
          <SleepTimer className={css.heading} />
        </section>
      </div>
    </div>
  );
}
