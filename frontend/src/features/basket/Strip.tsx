import { useEffect, useRef } from "react";
import { basket as copy } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import css from "./Strip.module.css";

/** The button that had the focus is gone: it would begin at the page's top again. */
const isLost = (): boolean => document.activeElement === document.body;
const keepPlace = (): void => {
  if (isLost()) document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
};

/** What has just happened to the basket, with the way back. It stays until it is dismissed, or the basket changes again. */
export function Strip() {
  const { basket, news, undo, dismiss } = useBasket();
  const back = useRef<HTMLButtonElement>(null);
  const text = news?.instead ? "" : news?.text;
  useEffect(() => {
    if (text && isLost()) back.current?.focus({ preventScroll: true });
  }, [text]);
  const close = () => {
    dismiss();
    requestAnimationFrame(keepPlace);
  };
  return (
    <div role="status">
      {text ? (
        <p className={css.strip}>
          <Icon name="tick" />
          <span>{text}</span>
          {basket?.canUndo ? (
            <TextButton ref={back} className={css.undo} onClick={() => void undo().then(keepPlace)}>
              {copy.undo}
            </TextButton>
          ) : null}
          <IconButton icon="close" label={copy.dismiss} onClick={close} />
        </p>
      ) : null}
    </div>
  );
}
