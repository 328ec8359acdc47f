import { own as words } from "@/copy/own";
import type { useOwn } from "@/data/own";
import { Strip } from "@/ui/Strip";

/** What was just done with one of the member's own, above the list that it left or came to. */
export function OwnStrip({ own: { news, tell, recover } }: { own: ReturnType<typeof useOwn> }) {
  const marked = news?.undo;
  return (
    <Strip
      text={news?.text}
      refused={news?.refused}
      back={marked && { name: words.undo, run: async () => void (await recover(marked)) }}
      dismiss={words.dismiss}
      onDismiss={() => tell(null)}
    />
  );
}
