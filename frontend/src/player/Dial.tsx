import type { ChangeEvent, KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { player as copy } from "@/copy/player";
import { formatSpoken } from "@/lib/format";
import { classes } from "@/ui/classes";
import css from "./Dial.module.css";
import { angleShare, dotAt, dragTo, keySeek, onRing } from "./dial-model";
import { usePlayer, usePlayerState } from "./hooks";
import type { ScriptItem } from "./recording";

interface DialProps {
  /** Drawn inside the ring. `previewMs` is where a drag would land, null while there is none. */
  children: (previewMs: number | null) => ReactNode;
  /** The silences of the script, as dots on the ring. */
  script?: readonly ScriptItem[];
  /** Shows how much is ready as a second arc. */
  showReady?: boolean;
  /** Off while another meditation is in the player: the ring is then only a picture. */
  active?: boolean;
  className?: string | undefined;
}

const share = (ms: number, ofMs: number): number => (ofMs > 0 ? Math.min(1, Math.max(0, ms / ofMs)) : 0);

/** Draws head and ready part straight into CSS variables: each frame while playing, else at each change. */
function useHead(previewMs: number | null, active: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const { engine } = usePlayer();
  const moving = usePlayerState((now) => now.state === "playing");
  useEffect(() => {
    const draw = () => {
      const now = engine.snapshot();
      const head = active ? share(previewMs ?? engine.position(), now.durationMs) : 0;
      ref.current?.style.setProperty("--head", String(head));
      ref.current?.style.setProperty("--ready", String(active ? share(now.readyMs, now.durationMs) : 0));
    };
    draw();
    if (!moving) return engine.subscribe(draw);
    let frame = requestAnimationFrame(function next() {
      draw();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [engine, previewMs, moving, active]);
  return ref;
}

/** Pointer and ring: the angle is the place; released, it becomes a seek. */
function useDrag(set: (previewMs: number | null) => void) {
  const { engine } = usePlayer();
  const at = useRef<number | null>(null);
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - box.height / 2;
    return { x, y, radius: (box.width / 2) * 0.95 };
  };
  const preview = (next: number) => {
    at.current = next;
    const { durationMs, readyMs } = engine.snapshot();
    set(Math.min(next * durationMs, readyMs));
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const { x, y, radius } = point(event);
      if (event.button !== 0 || !onRing(x, y, radius)) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.querySelector("input")?.focus({ preventScroll: true });
      preview(angleShare(x, y));
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (at.current === null) return;
      const { x, y } = point(event);
      preview(dragTo(at.current, angleShare(x, y)));
    },
    onPointerUp: () => {
      if (at.current !== null) engine.seek(at.current * engine.snapshot().durationMs);
      at.current = null;
      set(null);
    },
    onPointerCancel: () => {
      at.current = null;
      set(null);
    },
  };
}

/** The native range under the picture: keys, screen readers and switches use it. */
function Slider({ previewMs }: { previewMs: number | null }) {
  const { engine } = usePlayer();
  const second = usePlayerState((now) => Math.floor(now.positionMs / 1000));
  const end = usePlayerState((now) => Math.floor(now.durationMs / 1000));
  const value = previewMs === null ? second : Math.floor(previewMs / 1000);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keySeek(event.key, engine.position(), engine.snapshot().durationMs);
    if (to === null) return;
    event.preventDefault();
    engine.seek(to);
  };
  return (
    <input
      type="range"
      className={css.slider}
      min={0}
      max={Math.max(1, end)}
      value={value}
      aria-label={copy.position}
      aria-valuetext={copy.of(formatSpoken(value * 1000), formatSpoken(end * 1000))}
      onKeyDown={onKeyDown}
      onChange={(event: ChangeEvent<HTMLInputElement>) => engine.seek(Number(event.target.value) * 1000)}
    />
  );
}

function Dots({ script }: { script: readonly ScriptItem[] }) {
  const duration = usePlayerState((now) => now.durationMs);
  const quiet = script.filter((item) => item.kind === "quiet");
  const past = usePlayerState((now) => quiet.filter((item) => item.startMs <= now.positionMs).length);
  return quiet.map((item, i) => (
    <circle
      key={item.startMs}
      className={classes(css.rest, i < past && css.past)}
      {...dotAt(share(item.startMs, duration))}
      r="4"
    />
  ));
}

/** The player's ring: the moon over the night lake, and the meditation's time. */
export function Dial({ children, script, showReady, active = true, className }: DialProps) {
  const [previewMs, setPreview] = useState<number | null>(null);
  const ref = useHead(previewMs, active);
  const drag = useDrag(setPreview);
  return (
    <div
      className={classes(css.dial, active && css.active, previewMs !== null && css.dragged, className)}
      ref={ref}
      {...(active ? drag : {})}
    >
      <svg viewBox="0 0 400 400" aria-hidden="true">
        <circle className={css.breath} cx="200" cy="219" r="160" />
        <circle className={css.breath} cx="200" cy="236" r="132" />
        <circle className={css.track} cx="200" cy="200" r="190" />
        {showReady ? <circle className={css.ready} cx="200" cy="200" r="190" pathLength="100" /> : null}
        <circle className={css.arc} cx="200" cy="200" r="190" pathLength="100" />
        {script && active ? <Dots script={script} /> : null}
        {active ? <circle className={css.handle} cx="200" cy="10" r="10" /> : null}
      </svg>
      <div className={css.inside}>{children(previewMs)}</div>
      {active ? <Slider previewMs={previewMs} /> : null}
    </div>
  );
}
