import type { ReactNode } from "react";
import { journey as copy } from "@/copy/journey";
import { toUserError } from "@/data/errors";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Empty, ErrorNote, ErrorPanel, CardShape } from "@/ui/States";
import css from "./Panel.module.css";

/** The shapes of a panel's cards, while they are asked for; at once where the page begins with them, else after a moment. */
export function Waiting({ atOnce = false }: { atOnce?: boolean }) {
  return (
    <div className={classes(css.grid, !atOnce && css.waiting)} role="status" aria-label={copy.loading}>
      {[1, 2, 3, 4].map((i) => (
        <CardShape key={i} />
      ))}
    </div>
  );
}

/** A panel before anything was asked for. */
export function PanelBegins({ title }: { title: string }) {
  return (
    <>
      <div className={css.head}>
        <h2>{title}</h2>
        <p className="small muted" role="status" />
      </div>
      <Waiting atOnce />
    </>
  );
}

/** What is read of a list page by page, as far as a panel shows it. */
interface Read {
  isPending: boolean;
  isPlaceholderData: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface PanelProps {
  title: string;
  read: Read;
  /** How many are shown, and how many there are in all. */
  shown: number;
  total: number;
  search: string;
  onClear: () => void;
  /** What says that there is nothing, where nothing is searched for. */
  nothing: { title: string; text: string; action?: ReactNode };
  /** A quiet line beside the title, where nothing is searched for. */
  aside?: string;
  /** What has just happened to the list. */
  news?: ReactNode;
  children: ReactNode;
}

/** A panel in whichever state it is: its cards are the children. */
export function Panel({
  title,
  read,
  shown,
  total,
  search,
  onClear,
  nothing,
  aside,
  news,
  children,
}: PanelProps) {
  const { isPending, isPlaceholderData, hasNextPage, isFetchingNextPage } = read;
  const trouble = read.error ? toUserError(read.error) : null;
  const retry = () => void read.refetch();
  const settled = !isPending && !isPlaceholderData;
  const none = search
    ? { ...copy.none, action: <Button onClick={onClear}>{copy.none.action}</Button> }
    : nothing;
  return (
    <>
      <div className={css.head}>
        <h2>{title}</h2>
        <p className="small muted" role="status">
          {search && settled && !trouble ? copy.found(total) : ""}
        </p>
        {aside && !search ? <p className="small muted">{aside}</p> : null}
      </div>
      {news}
      {isPending && !trouble ? <Waiting /> : null}
      {trouble && shown === 0 ? <ErrorPanel {...trouble} onRetry={retry} /> : null}
      {trouble && shown > 0 ? <ErrorNote message={trouble.message} onRetry={retry} /> : null}
      {settled && !trouble && shown === 0 ? (
        <div className={css.blank}>
          <Empty title={none.title} action={none.action}>
            {none.text}
          </Empty>
        </div>
      ) : null}
      {shown > 0 ? (
        <div className={css.cards} aria-busy={isPlaceholderData}>
          {children}
        </div>
      ) : null}
      {hasNextPage ? (
        <div className={css.more}>
          <Button pending={isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            {copy.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}
