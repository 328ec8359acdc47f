import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { player as copy } from "@/copy/player";
import { formatSpoken } from "@/lib/format";
import { angleShare, dragTo, keySeek } from "../dial-model";
import { usePlayer } from "../hooks";
import css from "./Scrubber.module.css";

/** The scrubber's drawing, in px, as the specification has it. */
const RADIUS = 65;
const KNOB = 9;
const HALF = RADIUS + KNOB + 1;

/** Pointer on the ring: the angle is the place; released, it becomes a seek. */
function scrubbing(at: number | null, setAt: (share: number | null) => void, seek: (share: number) => void) {
  const shareOf = (event: PointerEvent<SVGElement>): number => {
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (!box) return 0;
    return angleShare(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
  };
  return {
    onPointerDown: (event: PointerEvent<SVGElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setAt(shareOf(event));
    },
    onPointerMove: (event: PointerEvent<SVGElement>) => {
      if (at !== null) setAt(dragTo(at, shareOf(event)));
    },
    onPointerUp: () => {
      if (at !== null) seek(at);
      setAt(null);
    },
    onPointerCancel: () => setAt(null),
  };
}

interface PictureProps {
  share: number;
  on: ReturnType<typeof scrubbing> | null;
}

function Picture({ share, on }: PictureProps) {
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
      {on ? <circle className={css.hit} r={RADIUS} {...on} /> : null}
    </svg>
  );
}

interface ScrubberProps {
  /** It can be turned: the player holds its recording. */
  active: boolean;
  /** The place that is shown, and the length, in ms. */
  shownMs: number;
  ofMs: number;
  /** The share of the circle to which it is dragged, null while it is not. */
  at: number | null;
  onDrag: (share: number | null) => void;
  /** Inside the ring. */
  children: ReactNode;
}

/** The ring of an inline player. */
export function Scrubber({ active, shownMs, ofMs, at, onDrag, children }: ScrubberProps) {
  const { engine } = usePlayer();
  const on = scrubbing(at, onDrag, (share) => engine.seek(share * ofMs));
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keySeek(event.key, engine.position(), ofMs);
    if (to === null) return;
    event.preventDefault();
    engine.seek(to);
  };
  return (
    <div className={css.ring}>
      <Picture share={ofMs > 0 ? Math.min(1, shownMs / ofMs) : 0} on={active ? on : null} />
      <input
        type="range"
        className={css.slider}
        disabled={!active}
        min={0}
        max={Math.max(1, Math.ceil(ofMs / 1000))}
        value={Math.floor(shownMs / 1000)}
        aria-label={copy.position}
        aria-valuetext={copy.of(formatSpoken(shownMs), formatSpoken(ofMs))}
        onKeyDown={onKeyDown}
        onChange={(event) => engine.seek(Number(event.target.value) * 1000)}
      />
      {children}
    </div>
  );
}
