import type { FormEvent, KeyboardEvent } from "react";
import { useRef, useState } from "react";
import { search as copy } from "@/copy/search";
import { SearchRequestRules } from "@/gen/serein/web/v1/search_rules";
import { useTyped } from "@/lib/filters";
import { useMember } from "@/lib/session";
import type { SiteSearch } from "@/lib/site-search";
import { useSiteSearch } from "@/lib/site-search";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SearchField } from "@/ui/SearchField";
import { ErrorPanel } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { Begin } from "./Begin";
import { keepRecent, recentOf } from "./recent";
import { Looking, Nothing, Results } from "./Results";
import css from "./SearchDialog.module.css";
import type { Find } from "./useFind";
import { useFind } from "./useFind";

/** Up and down lead through the field and everything that can be opened. */
function move(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !box || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [...box.querySelectorAll<HTMLElement>("input, [data-stop]")];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  // From a tab: down to the first below the field, up to the field.
  const to = at < 0 ? Math.max(step, 0) : at + step;
  event.preventDefault();
  stops[to]?.focus();
}

/** What the keys do, for those who have some. */
function Keys() {
  return (
    <p className={css.keys} aria-hidden="true">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        {copy.keys.move}
      </span>
      <span>
        <kbd>Enter</kbd>
        {copy.keys.enter}
      </span>
      <span>
        <kbd>Esc</kbd>
        {copy.keys.close}
      </span>
    </p>
  );
}

/** Said aloud as soon as the answer is there. */
function Said({ find }: { find: Find }) {
  const [bespoke = 0, articles = 0, meditations = 0] = find.groups.map(({ total }) => total);
  const words =
    find.total > 0 ? copy.found(bespoke, articles, meditations, find.courses.length) : copy.none.text;
  return (
    <p className="sr" role="status">
      {find.settled ? words : ""}
    </p>
  );
}

/** Everything that can be found, by words or by category, over the page. */
export function SearchDialog({ search }: { search: SiteSearch }) {
  const { change, close, under } = useSiteSearch();
  const uid = useMember()?.uid;
  const box = useRef<HTMLDivElement>(null);
  const { category, tab } = search;
  const text = search.text.trim();
  const { typed, type } = useTyped(text, (next) => change({ text: next }));
  const [recent] = useState(() => recentOf(uid));
  const find = useFind({ text, category });
  const { categories, settled, trouble } = find;
  const asks = text !== "" || category !== "";

  const begin = (next: Partial<SiteSearch>) => {
    type(next.text ?? "");
    change({ text: "", category: "", tab: "", ...next });
    box.current?.querySelector("input")?.focus();
  };
  const enter = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== text) change({ text: typed.trim() });
    else if (settled) box.current?.querySelector<HTMLElement>("a[data-stop]")?.click();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return move(event, box.current);
    // Some browsers empty the field by it, and leave the dialog open.
    event.preventDefault();
    close();
  };
  return (
    <Dialog title={copy.title} onClose={close} bare className={css.dialog}>
      {/* The keys belong to what stands inside; they are heard in one place. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={css.box} ref={box} onKeyDown={onKeyDown}>
        <form role="search" className={css.head} onSubmit={enter}>
          <SearchField
            className={css.field}
            label={copy.label}
            value={typed}
            onChange={type}
            maxLength={SearchRequestRules.text.maxLen}
            enterKeyHint="search"
            data-first=""
          />
          {typed !== "" || category !== "" ? (
            <Button small look="quiet" onClick={() => begin({})}>
              {copy.clear}
            </Button>
          ) : null}
        </form>
        <div className={css.body}>
          {category ? (
            <p className={css.filed}>
              {copy.filedIn(categories?.find(({ id }) => id === category)?.name ?? category)}{" "}
              <TextButton onClick={() => begin({ text })}>{copy.anywhere}</TextButton>
            </p>
          ) : null}
          {asks ? <Said find={find} /> : null}
          {trouble ? <ErrorPanel {...trouble} onRetry={trouble.retry ? find.retry : undefined} /> : null}
          {!asks && !trouble ? (
            <Begin
              recent={recent}
              categories={categories}
              onText={(next) => begin({ text: next })}
              onCategory={(id) => begin({ category: id })}
            />
          ) : null}
          {asks && !trouble && !settled && find.total === 0 ? <Looking /> : null}
          {asks && !trouble && settled && find.total === 0 ? <Nothing make /> : null}
          {asks && !trouble && find.total > 0 ? (
            <Results
              asked={{ text, category }}
              find={find}
              tab={tab}
              onTab={(next) => change({ tab: next })}
              under={under}
              onOpen={() => keepRecent(uid, text)}
            />
          ) : null}
        </div>
        <Keys />
      </div>
    </Dialog>
  );
}
