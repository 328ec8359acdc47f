import { player as copy } from "@/copy/player";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { usePlayer } from "./hooks";
import { player } from "./runtime";

const STEP_MS = 15_000;
const step = (ms: number) => player.engine.seek(player.engine.position() + ms);

function Step({ back }: { back?: boolean }) {
  return (
    <button
      type="button"
      className="icon-btn step"
      aria-label={back ? copy.back : copy.forward}
      onClick={() => step(back ? -STEP_MS : STEP_MS)}
    >
      <Icon name={back ? "back" : "forward"} />
      <span aria-hidden="true">15</span>
    </button>
  );
}

/** Play or pause, as the listener wants it; the sound follows. */
export function PlayButton({ className, title }: { className: string; title?: string }) {
  const wanted = usePlayer((now) => now.wanted);
  const labels = wanted ? ([copy.pause, copy.pauseTitle] as const) : ([copy.play, copy.playTitle] as const);
  return (
    <button
      type="button"
      className={className}
      aria-label={title ? labels[1](title) : labels[0]}
      onClick={player.toggle}
    >
      <Icon name={wanted ? "pause" : "play"} />
    </button>
  );
}

/** Offered while paused with time elapsed. Its place stays, so that nothing jumps. */
function Reset() {
  const shown = usePlayer((now) => !now.wanted && now.positionMs > 0);
  return (
    <div className="reset">
      {shown ? (
        <Button look="quiet" small onClick={() => player.engine.reset()}>
          {copy.reset}
        </Button>
      ) : null}
    </div>
  );
}

export function Controls() {
  return (
    <>
      <div className="controls">
        <Step back />
        <PlayButton className="big" />
        <Step />
      </div>
      <Reset />
    </>
  );
}

/** What the sound is doing, where that is not plain to hear. */
export function useStatus(): string {
  const state = usePlayer((now) => (now.blocked ? "blocked" : now.state));
  const away = usePlayer((now) => (now.ambience === "unavailable" ? (now.loop?.id ?? "") : ""));
  const { states } = copy;
  if (state === "blocked" || state === "failed" || state === "ended" || state === "buffering")
    return states[state];
  return away ? states.ambienceAway(away.charAt(0).toUpperCase() + away.slice(1)) : "";
}
