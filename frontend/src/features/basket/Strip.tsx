import { basket as copy } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import { Strip as Shown } from "@/ui/Strip";

/** What has just happened to the basket. It stays until it is dismissed, or the basket changes again. */
export function Strip() {
  const { basket, news, undo, dismiss } = useBasket();
  return (
    <Shown
      text={news?.instead ? "" : news?.text}
      back={basket?.canUndo ? { name: copy.undo, run: undo } : null}
      dismiss={copy.dismiss}
      onDismiss={dismiss}
    />
  );
}
