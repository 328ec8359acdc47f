import { useEffect, useRef, useState } from "react";
import { IconButton } from "./Button";
import { classes } from "./classes";
import { Icon } from "./Icon";
import css from "./Strip.module.css";
import { TextButton } from "./TextButton";

/** The button that had the focus is gone: it would begin at the page's top again. */
const isLost = (): boolean => document.activeElement === document.body;
const keepPlace = (): void => {
  if (isLost()) document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
};

/** px: the page's bar, which covers what is scrolled beneath it. */
const BAR = 72;

/** Whether the strip's own place is out of view, looked at from when `text` is there. */
function useAway(text: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const [away, set] = useState(false);
  useEffect(() => {
    if (!text || !place.current) return undefined;
    const watch = new IntersectionObserver((entries) => set(!entries.at(-1)?.isIntersecting), {
      threshold: 0.5,
      rootMargin: `-${BAR}px 0px 0px`,
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [text]);
  return { place, away };
}

interface StripProps {
  /** What has just happened; nothing is shown without it. */
  text: string | undefined;
  /** The way back, where there is one. */
  back?: { name: string; run: () => Promise<void> } | null | undefined;
  /** What happened is that something was refused. */
  refused?: boolean | undefined;
  /** The name of the button that takes it away. */
  dismiss: string;
  onDismiss: () => void;
}

/**
 * What has just happened to a list, above it, with the way back. It stays until it is dismissed: a toast is too short for that. Scrolled
 * out of view, it lies below the page's bar. It takes the focus where the button that was pressed has gone.
 */
export function Strip({ text, back, refused, dismiss, onDismiss }: StripProps) {
  const strip = useRef<HTMLParagraphElement>(null);
  const { place, away } = useAway(text);
  useEffect(() => {
    if (text && isLost()) strip.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [text]);
  const close = () => {
    onDismiss();
    requestAnimationFrame(keepPlace);
  };
  return (
    <div role="status" ref={place} className={text ? css.place : undefined}>
      {text ? (
        <p className={classes(css.strip, away && css.away)} ref={strip}>
          <Icon name={refused ? "info" : "tick"} />
          <span>{text}</span>
          {back ? (
            <TextButton className={css.undo} onClick={() => void back.run().then(keepPlace)}>
              {back.name}
            </TextButton>
          ) : null}
          <IconButton icon="close" label={dismiss} onClick={close} />
        </p>
      ) : null}
    </div>
  );
}
