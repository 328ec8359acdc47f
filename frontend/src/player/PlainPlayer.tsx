import { useEffect, useRef } from "react";
import { usePlayer } from "@/player/hooks";
import css from "./PlainPlayer.module.css";

/** The browser's own player, for sound that is judged and not listened to: every second of it can be reached. */
export function PlainPlayer({ src, label, play }: { src: string; label: string; play?: boolean }) {
  const { engine } = usePlayer();
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    // Asked for rather than by "autoplay", which browsers that want a press for each sound never obey. Refused after a
    // long wait, it is there to be pressed.
    if (play && src) element.current?.play().catch(() => undefined);
  }, [play, src]);
  return (
    // A narration is its own script, which stands beside it.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      className={css.sound}
      controls
      preload="metadata"
      src={src}
      aria-label={label}
      ref={element}
      onPlay={() => engine.pause()}
    />
  );
}
