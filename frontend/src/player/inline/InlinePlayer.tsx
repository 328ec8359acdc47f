import { useState } from "react";
import { player as copy } from "@/copy/player";
import { formatClock } from "@/lib/format";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import { usePlayer } from "../hooks";
import { MoreButton } from "../MoreButton";
import css from "./InlinePlayer.module.css";
import { Scrubber } from "./Scrubber";
import { useHeld, useTakesOver } from "./useHeld";

interface InlinePlayerProps {
  /** Its name in the player. */
  id: string;
  title: string;
  /** Its length as long as the player does not hold it, in ms. */
  lengthMs: number;
  /** Plays, or pauses what plays; without it a press on what is around does that, and the ring shows only what it would do. */
  onPress?: () => void;
  /** It lies over a picture. */
  over?: boolean;
}

/** The member's one player, as a ring in the page. What is heard goes on in the mini player where this is out of view. */
export function InlinePlayer({ id, title, lengthMs, onPress, over }: InlinePlayerProps) {
  const { engine } = usePlayer();
  const now = useHeld(id);
  const ref = useTakesOver<HTMLDivElement>(now.held);
  const [at, drag] = useState<number | null>(null);
  const { held, wanted, state } = now;
  const ofMs = now.durationMs || lengthMs;
  const shownMs = at === null ? now.positionMs : at * ofMs;
  const trouble = state === "failed" || state === "blocked" ? copy.states[state] : "";
  const icon = <Icon name={wanted ? "pause" : "play"} />;
  const reset = () => {
    // The button that was pressed goes away; the ring stays.
    ref.current?.querySelector("input")?.focus();
    engine.reset();
  };
  return (
    <div className={classes(css.player, over && css.over)} data-plays={id} ref={ref}>
      <Scrubber active={held} shownMs={shownMs} ofMs={ofMs} at={at} onDrag={drag}>
        {onPress ? (
          <button
            type="button"
            className={css.play}
            aria-label={wanted ? copy.pauseTitle(title) : copy.playTitle(title)}
            onClick={onPress}
          >
            {icon}
          </button>
        ) : (
          <div className={css.play}>{icon}</div>
        )}
      </Scrubber>
      <div className={css.time}>
        <span>{copy.of(formatClock(shownMs), formatClock(ofMs))}</span>
        {!wanted && now.positionMs > 0 ? <TextButton onClick={reset}>{copy.reset}</TextButton> : null}
        <span role="status">{trouble}</span>
        {held ? <MoreButton /> : null}
      </div>
    </div>
  );
}
