import { useEffect, useImperativeHandle, useRef, type Ref } from "react";
import { usePlayer } from "@/player/hooks";
import css from "./PlainPlayer.module.css";

/** What a page may ask of a plain player. */
export interface PlainSound {
  /** Called within a press, lets the sound that has no address yet begin by itself however late it comes. */
  unlock: () => void;
}

interface PlainPlayerProps {
  /** The sound's address; without one the player is hidden. */
  src: string | undefined;
  label: string;
  play?: boolean;
  ref?: Ref<PlainSound>;
}

const start = (sound: HTMLAudioElement | null) => void sound?.play().catch(() => undefined);

/** The browser's own player, for sound that is judged and not listened to: every second of it can be reached. */
export function PlainPlayer({ src, label, play, ref }: PlainPlayerProps) {
  const { engine } = usePlayer();
  const element = useRef<HTMLAudioElement>(null);
  useImperativeHandle(ref, () => ({ unlock: () => !element.current?.src && start(element.current) }), []);
  useEffect(() => {
    // Asked for rather than by "autoplay", which browsers that want a press for each sound never obey. They refuse it
    // seconds after the press as well, unless the element was unlocked: the player is there to be pressed.
    if (play && src) start(element.current);
  }, [play, src]);
  return (
    // A narration is its own script, which stands beside it.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      className={css.sound}
      controls
      hidden={!src}
      preload="metadata"
      src={src}
      aria-label={label}
      ref={element}
      onPlay={() => engine.pause()}
    />
  );
}
