import { useState } from "react";
import { generator as copy } from "@/copy/generator";
import { Elapsed } from "@/player/Clock";
import { PlayButton } from "@/player/Controls";
import { Dial } from "@/player/Dial";
import { usePlayer, usePlayerState, useShown } from "@/player/hooks";
import { useControls } from "@/player/useControls";
import type { LiveState } from "@/data/live-meditation";
import { scriptOf } from "@/player/recording";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { useSecond } from "@/lib/clock";
import { formatClock } from "@/lib/format";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import css from "./Making.module.css";
import { CancelDialog } from "./CancelDialog";
import { NightStage } from "./NightStage";
import type { Sample } from "./progress";
import { sampled, stepsOf, timeLeft, timeLeftText } from "./progress";
import { SpokenLines } from "./SpokenLines";
import { Stages } from "./Stages";

function useSaid(active: boolean): string {
  const { states } = copy.making;
  const state = usePlayerState((now) => (now.blocked ? "blocked" : now.state));
  const anything = usePlayerState((now) => now.readyMs > 0);
  const wanted = usePlayerState((now) => now.wanted);
  if (!active || !anything) return states.waiting;
  if (state === "blocked" || (!wanted && state === "ready")) return states.blocked;
  if (state === "playing") return states.playing;
  return wanted ? states.waiting : states.paused;
}

function Ring({ m, active }: { m: Meditation; active: boolean }) {
  const player = usePlayer();
  const said = useSaid(active);
  const ref = useControls<HTMLDivElement>(active);
  return (
    <div ref={ref}>
      <Dial showReady active={active} className={css.dial}>
        {(previewMs) => (
          <>
            <span className="caption quiet">{said}</span>
            {active ? <Elapsed previewMs={previewMs} /> : <b>0:00</b>}
            <span className="small muted tnum">
              {m.expectedMs > 0n
                ? copy.making.readyOf(formatClock(Number(m.readyMs)), formatClock(Number(m.expectedMs)))
                : " "}
            </span>
            {active ? (
              <PlayButton className={css.play} title={m.title} />
            ) : (
              <button
                type="button"
                className={css.play}
                aria-label={`${copy.making.listen}: ${m.title}`}
                onClick={() => player.open(m.id, { play: true })}
              >
                <Icon name="play" />
              </button>
            )}
          </>
        )}
      </Dial>
    </div>
  );
}

/** The pace is measured here, from what arrives while one watches; to the second, which is all that is said. */
function useTimeLeft(m: Meditation): string {
  const at = useSecond() * 1000;
  const [samples, set] = useState<readonly Sample[]>([]);
  const ready = Number(m.readyMs);
  const next = sampled(samples, at, ready);
  if (next !== samples) set(next);
  return timeLeftText(m.stage, timeLeft(next, Number(m.expectedMs), at), ready);
}

function linkText(link: LiveState["link"]): string {
  if (link === "offline") return copy.making.offline;
  return link === "lost" ? copy.making.lost : "";
}

function Acts({ m, link }: { m: Meditation; link: LiveState["link"] }) {
  const left = useTimeLeft(m);
  const [asking, ask] = useState(false);
  return (
    <>
      {asking ? <CancelDialog meditation={m} onClose={() => ask(false)} /> : null}
      <div className={css.acts}>
        <p className={classes("small muted tnum", css.text)}>
          {linkText(link) || `${left} ${copy.making.leave}`}
        </p>
        {m.cancelTerms ? (
          <Button small className={css.cancel} onClick={() => ask(true)}>
            {copy.making.cancel}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** The ring fills, the sentences appear as they are spoken. */
export function Making({ meditation: m, live }: { meditation: Meditation; live: LiveState }) {
  const active = useShown(m.id);
  const now = stepsOf(m).find((step) => step.state === "now");
  return (
    <NightStage labelledBy="making" figure={<Ring m={m} active={active} />}>
      <div className={css.head}>
        <p className="small muted">{copy.making.head(m.narratorName)}</p>
        <h1 id="making" className={css.title}>
          {m.title}
        </h1>
      </div>
      <SpokenLines script={scriptOf(live.segments)} active={active} />
      <Stages meditation={m} />
      <Acts m={m} link={live.link} />
      <p className="sr" role="status">
        {now?.text}
      </p>
    </NightStage>
  );
}
