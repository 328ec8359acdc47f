import type { Ref } from "react";
import { useRef } from "react";
import { player as copy } from "@/copy/player";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import css from "./Controls.module.css";
import { usePlayer, usePlayerState } from "./hooks";
import { useControls } from "./useControls";

const STEP_MS = 15_000;

function Step({ back }: { back?: boolean }) {
  const { engine } = usePlayer();
  return (
    <button
      type="button"
      className={css.step}
      aria-label={back ? copy.back : copy.forward}
      onClick={() => engine.seek(engine.position() + (back ? -STEP_MS : STEP_MS))}
    >
      <Icon name={back ? "back" : "forward"} />
      <span aria-hidden="true">15</span>
    </button>
  );
}

interface PlayButtonProps {
  className: string | undefined;
  /** Of what is played, where more than one could be meant. */
  title?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Play or pause, as the listener wants it; the sound follows. */
export function PlayButton({ className, title, ref }: PlayButtonProps) {
  const { toggle } = usePlayer();
  const wanted = usePlayerState((now) => now.wanted);
  const labels = wanted ? ([copy.pause, copy.pauseTitle] as const) : ([copy.play, copy.playTitle] as const);
  return (
    <button
      type="button"
      ref={ref}
      className={className}
      aria-label={title ? labels[1](title) : labels[0]}
      onClick={toggle}
    >
      <Icon name={wanted ? "pause" : "play"} />
    </button>
  );
}

/** Offered while paused with time elapsed. Its place stays, so that nothing jumps. */
function Reset({ onReset }: { onReset: () => void }) {
  const shown = usePlayerState((now) => !now.wanted && now.positionMs > 0);
  return (
    <div className={css.reset}>
      {shown ? (
        <Button look="quiet" small onClick={onReset}>
          {copy.reset}
        </Button>
      ) : null}
    </div>
  );
}

/** Back, play and forward of what the player holds; `held` while it is what this page shows. */
export function Controls({ held }: { held: boolean }) {
  const { engine } = usePlayer();
  const ref = useControls<HTMLDivElement>(held);
  const play = useRef<HTMLButtonElement>(null);
  const reset = () => {
    // The button that was pressed goes away; the next step is to play.
    play.current?.focus();
    engine.reset();
  };
  return (
    <>
      <div className={css.controls} ref={ref}>
        <Step back />
        <PlayButton className={css.play} ref={play} />
        <Step />
      </div>
      <Reset onReset={reset} />
    </>
  );
}

/** Says what the sound is doing when the listener cannot hear that. */
function useStatus(): string {
  const state = usePlayerState((now) => (now.blocked ? "blocked" : now.state));
  const away = usePlayerState((now) => (now.ambience === "unavailable" ? (now.loop?.id ?? "") : ""));
  const { states } = copy;
  if (state === "blocked" || state === "failed" || state === "ended" || state === "buffering")
    return states[state];
  return away ? states.ambienceAway(away.charAt(0).toUpperCase() + away.slice(1)) : "";
}

/** The line under the controls. Its place stays when there is nothing to say. */
export function Status({ className }: { className: string | undefined }) {
  return (
    <p className={className} role="status">
      {useStatus()}
    </p>
  );
}
