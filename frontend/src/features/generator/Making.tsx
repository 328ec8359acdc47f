import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { generator as copy } from "@/copy/generator";
import { Elapsed } from "@/player/Clock";
import { PlayButton } from "@/player/Controls";
import { Dial } from "@/player/Dial";
import { useFullPlayer, usePlayer } from "@/player/hooks";
import type { LiveState } from "@/data/live-meditation";
import type { ScriptItem } from "@/player/recording";
import { currentLine, scriptOf } from "@/player/recording";
import { client, journeyChanged, liveOf, player, showCredits } from "@/player/runtime";
import { StageArt } from "@/ui/StageArt";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { useSecond } from "@/lib/clock";
import { formatClock } from "@/lib/format";
import { useNight } from "@/lib/night";
import { paths } from "@/lib/paths";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { ErrorNote } from "@/ui/States";
import "@/styles/components/mini.css";
import "@/player/player.css";
import { notice } from "./draft";
import { creditCount } from "./model";
import type { Sample } from "./progress";
import { sampled, stepsOf, timeLeft, timeLeftText } from "./progress";

/** Whether the player holds this meditation; another one that is playing is not disturbed. */
function useInPlayer(id: string): boolean {
  useEffect(() => {
    if (player.id !== id && !player.engine.snapshot().wanted) player.open(id);
  }, [id]);
  return usePlayer((now) => now.recording?.id === id || (now.recording === null && player.id === id));
}

function useSaid(active: boolean): string {
  const { states } = copy.making;
  const state = usePlayer((now) => (now.blocked ? "blocked" : now.state));
  const anything = usePlayer((now) => now.readyMs > 0);
  const wanted = usePlayer((now) => now.wanted);
  if (!active || !anything) return states.waiting;
  if (state === "blocked" || (!wanted && state === "ready")) return states.blocked;
  if (state === "playing") return states.playing;
  return wanted ? states.waiting : states.paused;
}

function Moon({ m, active }: { m: Meditation; active: boolean }) {
  const said = useSaid(active);
  return (
    <div data-ring>
      <Dial showReady active={active} className="dial--making">
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
              <PlayButton className="play" title={m.title} />
            ) : (
              <button
                type="button"
                className="play"
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

/** The line being spoken between the one before and the one to come. */
function Said({ script, active }: { script: readonly ScriptItem[]; active: boolean }) {
  const at = usePlayer((now) => (active ? currentLine(script, now.positionMs) : -1));
  const lines = script.flatMap((item, i) => (item.kind === "line" ? [{ text: item.text, i }] : []));
  const now = lines.findIndex((line) => line.i === at);
  const first = Math.max(0, now - 1);
  const shown = lines.slice(first, now < 0 ? 2 : now + 2);
  if (shown.length === 0)
    return (
      <div className="said">
        <p className="next">{copy.making.first}</p>
      </div>
    );
  return (
    <div className="said">
      {shown.map((line) => (
        <p key={line.i} className={line.i < at ? "past" : line.i > at ? "next" : undefined}>
          {line.text}
        </p>
      ))}
    </div>
  );
}

function Steps({ m }: { m: Meditation }) {
  return (
    <ol className="stages" aria-label={copy.making.stages}>
      {stepsOf(m).map((step) => (
        <li
          key={step.text}
          className={classes(step.state === "done" && "done")}
          aria-current={step.state === "now" ? "step" : undefined}
        >
          {step.state === "done" ? <Icon name="tick" /> : <span className="dotring" />}
          <span>{step.text}</span>
          <span className="tnum">{step.fact}</span>
        </li>
      ))}
    </ol>
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

function useCancel(m: Meditation) {
  const navigate = useNavigate();
  const [state, set] = useState<"" | "busy" | "failed">("");
  const cancel = async () => {
    set("busy");
    try {
      const { meditation, credits } = await client.cancelMeditation({ id: m.id });
      showCredits(credits);
      journeyChanged();
      // A meditation that was ready just before stays, and shows itself.
      if (meditation?.stage === Stage.CANCELLED) {
        notice.set(copy.cancelled(creditCount(m.cost), m.cost !== 1));
        void navigate(paths.generator, { replace: true });
      }
      if (meditation) liveOf(m.id).take(meditation);
      set("");
    } catch {
      set("failed");
    }
  };
  return { state, cancel };
}

function linkText(link: LiveState["link"]): string {
  if (link === "offline") return copy.making.offline;
  return link === "lost" ? copy.making.lost : "";
}

function Acts({ m, link }: { m: Meditation; link: LiveState["link"] }) {
  const left = useTimeLeft(m);
  const { state, cancel } = useCancel(m);
  return (
    <>
      {state === "failed" ? <ErrorNote message={copy.notCancelled} /> : null}
      <div className="acts">
        <p className="small muted tnum acts__text">{linkText(link) || `${left} ${copy.making.leave}`}</p>
        <Button small pending={state === "busy"} onClick={() => void cancel()}>
          {copy.making.cancel}
        </Button>
      </div>
    </>
  );
}

/** The page turned to night: the ring fills, the sentences appear as they are spoken. */
export function Making({ meditation: m, live }: { meditation: Meditation; live: LiveState }) {
  const ref = useRef<HTMLElement>(null);
  const active = useInPlayer(m.id);
  useNight(true);
  useFullPlayer();
  const now = stepsOf(m).find((step) => step.state === "now");
  return (
    <section className="stage" data-theme="dark" aria-labelledby="making" ref={ref}>
      <StageArt around={ref} seed={9} />
      <div className="wrap">
        <Moon m={m} active={active} />
        <div className="making">
          <div className="making__head">
            <p className="small muted">{copy.making.head}</p>
            <h1 id="making">{m.title}</h1>
          </div>
          <Said script={scriptOf(live.segments)} active={active} />
          <Steps m={m} />
          <Acts m={m} link={live.link} />
          <p className="sr" role="status">
            {now?.text}
          </p>
        </div>
      </div>
    </section>
  );
}
