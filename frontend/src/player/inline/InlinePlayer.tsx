import type { KeyboardEvent, PointerEvent } from "react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { player as copy } from "@/copy/player";
import { useData } from "@/data/data";
import { formatClock, formatSpoken } from "@/lib/format";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import { angleShare, dragTo, keySeek } from "../dial-model";
import type { Engine, Recording, Snapshot } from "../engine/types";
import { usePlayer } from "../hooks";
import { createInlineEngine } from "./inline";
import css from "./InlinePlayer.module.css";

/** The scrubber's drawing, in px, as the specification has it. */
const RADIUS = 65;
const KNOB = 9;
const HALF = RADIUS + KNOB + 1;

/** A plain value of what the engine does with this recording; `without` while it holds another. */
function useNow<T extends string | number | boolean>(
  engine: Engine,
  id: string,
  pick: (now: Snapshot) => T,
  without: T,
): T {
  return useSyncExternalStore(engine.subscribe, () => {
    const now = engine.snapshot();
    return now.recording?.id === id ? pick(now) : without;
  });
}

/** What the page shows of it: it is drawn again only when one changes. */
function useEngine(engine: Engine, id: string) {
  return {
    wanted: useNow(engine, id, (now) => now.wanted, false),
    state: useNow<string>(engine, id, (now) => (now.blocked ? "blocked" : now.state), "idle"),
    positionMs: useNow(engine, id, (now) => now.positionMs, 0),
    durationMs: useNow(engine, id, (now) => now.durationMs, 0),
  };
}

/** Pointer on the ring: the angle is the place; released, it becomes a seek. */
function useScrub(seek: (share: number) => void) {
  const [at, setAt] = useState<number | null>(null);
  const shareOf = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return angleShare(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
  };
  return {
    at,
    on: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0 || (event.target as Element).closest("button")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setAt(shareOf(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (at !== null) setAt(dragTo(at, shareOf(event)));
      },
      onPointerUp: () => {
        if (at !== null) seek(at);
        setAt(null);
      },
      onPointerCancel: () => setAt(null),
    },
  };
}

function Picture({ share }: { share: number }) {
  const turn = share * 2 * Math.PI;
  return (
    <svg viewBox={`${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`} aria-hidden="true">
      <circle className={css.track} r={RADIUS} />
      <circle
        className={css.arc}
        r={RADIUS}
        pathLength="100"
        strokeDasharray={`${share * 100} 100`}
        transform="rotate(-90)"
      />
      <circle className={css.knob} r={KNOB} cx={RADIUS * Math.sin(turn)} cy={-RADIUS * Math.cos(turn)} />
    </svg>
  );
}

/** A player of one recording, in the page. What is heard in the other player rests while it plays. */
export function InlinePlayer({ recording }: { recording: Recording }) {
  const engine = useData().part(createInlineEngine);
  const player = usePlayer();
  const { wanted, state, positionMs, durationMs } = useEngine(engine, recording.id);
  const ofMs = durationMs || recording.durationMs;
  const { at, on } = useScrub((share) => engine.seek(share * ofMs));
  const shownMs = at === null ? positionMs : at * ofMs;

  useEffect(() => () => engine.unload(), [engine]);

  const toggle = () => {
    if (wanted) return engine.pause();
    player.engine.pause();
    engine.unlock();
    engine.load(recording);
    engine.play();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keySeek(event.key, positionMs, ofMs);
    if (to === null) return;
    event.preventDefault();
    engine.seek(to);
  };
  const trouble = state === "failed" || state === "blocked" ? copy.states[state] : "";
  return (
    <div className={css.player}>
      <div className={css.ring} {...on}>
        <Picture share={ofMs > 0 ? Math.min(1, shownMs / ofMs) : 0} />
        <input
          type="range"
          className={css.slider}
          min={0}
          max={Math.max(1, Math.ceil(ofMs / 1000))}
          value={Math.floor(shownMs / 1000)}
          aria-label={copy.position}
          aria-valuetext={copy.of(formatSpoken(shownMs), formatSpoken(ofMs))}
          onKeyDown={onKeyDown}
          onChange={(event) => engine.seek(Number(event.target.value) * 1000)}
        />
        <button
          type="button"
          className={css.play}
          aria-label={wanted ? copy.pauseTitle(recording.title) : copy.playTitle(recording.title)}
          onClick={toggle}
        >
          <Icon name={wanted ? "pause" : "play"} />
        </button>
      </div>
      <div className={css.time}>
        <span>{copy.of(formatClock(shownMs), formatClock(ofMs))}</span>
        {!wanted && positionMs > 0 ? (
          <TextButton onClick={() => engine.reset()}>{copy.reset}</TextButton>
        ) : null}
        <span role="status">{trouble}</span>
      </div>
    </div>
  );
}
