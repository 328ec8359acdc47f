import { basket as copy } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import css from "./Strip.module.css";

/** What has just happened to the basket, with the way back. It stays until it is dismissed, or the basket changes again. */
export function Strip() {
  const { basket, news, undo, dismiss } = useBasket();
  const text = news?.instead ? "" : news?.text;
  return (
    <div role="status">
      {text ? (
        <p className={css.strip}>
          <Icon name="tick" />
          <span>{text}</span>
          {basket?.canUndo ? (
            <TextButton className={css.undo} onClick={() => void undo()}>
              {copy.undo}
            </TextButton>
          ) : null}
          <IconButton icon="close" label={copy.dismiss} onClick={dismiss} />
        </p>
      ) : null}
    </div>
  );
}
