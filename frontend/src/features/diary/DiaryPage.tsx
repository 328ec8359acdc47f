import { lazy, Suspense, useState } from "react";
import { diary as words } from "@/copy/diary";
import { toUserError } from "@/data/errors";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorNote, ErrorPanel, Note } from "@/ui/States";
import { Strip } from "@/ui/Strip";
import css from "./DiaryPage.module.css";
import { Entry } from "./Entry";
import { byMonths } from "./model";
import { useDiary, useDiaryActs } from "./useDiary";

const EntryDialog = lazy(() => import("./EntryDialog"));
const EmptyDialog = lazy(() => import("./EmptyDialog"));

type Diary = ReturnType<typeof useDiary>;
type Acts = ReturnType<typeof useDiaryActs>;

/** The months with their entries, and the way to older ones. */
function Months({ diary, acts }: { diary: Diary; acts: Acts }) {
  const { entries = [], error, hasNextPage, isFetchingNextPage, fetchNextPage } = diary;
  const more = () => void fetchNextPage();
  return (
    <>
      {byMonths(entries).map(({ id, title, entries: ofMonth }) => (
        <section key={id} className={css.month} aria-labelledby={`month-${id}`}>
          <h2 id={`month-${id}`}>{title}</h2>
          <ul>
            {ofMonth.map((entry) => (
              <Entry key={entry.id} entry={entry} onRemove={() => void acts.remove(entry)} />
            ))}
          </ul>
        </section>
      ))}
      <div className={css.end}>
        {error ? <ErrorNote message={toUserError(error).message} onRetry={more} /> : null}
        {hasNextPage ? (
          <Button pending={isFetchingNextPage} onClick={more}>
            {words.more}
          </Button>
        ) : (
          <p className="small muted">{words.end}</p>
        )}
      </div>
    </>
  );
}

type Open = "entry" | "empty" | null;

/** The switch, and what is done with the whole diary. */
function Bar({ diary, acts, onOpen }: { diary: Diary; acts: Acts; onOpen: (open: Open) => void }) {
  const some = (diary.entries?.length ?? 0) > 0;
  return (
    <div className={css.bar}>
      <Switch checked={diary.keeping} onChange={({ target }) => void acts.setKeeping(target.checked)}>
        {words.keep}
      </Switch>
      <p className={css.acts}>
        <Button small onClick={() => onOpen("entry")}>
          {words.write}
        </Button>
        {some ? (
          <>
            <Button small onClick={() => void acts.download()}>
              {words.download}
            </Button>
            <Button small look="quiet" onClick={() => onOpen("empty")}>
              {words.empty}
            </Button>
          </>
        ) : null}
      </p>
    </div>
  );
}

/** Before it is switched on the first time: what it would be. */
function Invitation({ onKeep }: { onKeep: () => void }) {
  const action = (
    <Button look="primary" onClick={onKeep}>
      {words.invitation.action}
    </Button>
  );
  return (
    <Empty as="h2" title={words.invitation.title} action={action}>
      {words.invitation.text}
    </Empty>
  );
}

function Written({ diary, acts }: { diary: Diary; acts: Acts }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const some = (diary.entries?.length ?? 0) > 0;
  if (!some && !diary.keeping && !open) return <Invitation onKeep={() => void acts.setKeeping(true)} />;
  return (
    <>
      <Bar diary={diary} acts={acts} onOpen={setOpen} />
      {diary.full ? <Note tone="brass">{words.full}</Note> : null}
      {some && !diary.keeping ? <p className="small muted">{words.off}</p> : null}
      {some ? (
        <Months diary={diary} acts={acts} />
      ) : (
        <Empty as="h2" title={words.nothing.title}>
          {words.nothing.text}
        </Empty>
      )}
      <Suspense>
        {open === "entry" ? (
          <EntryDialog onClose={close} onDone={() => acts.tell({ text: words.entryDialog.done })} />
        ) : null}
        {open === "empty" ? (
          <EmptyDialog onClose={close} onDone={() => acts.tell({ text: words.emptied })} />
        ) : null}
      </Suspense>
    </>
  );
}

/** The member's own listening diary: what was heard, by months, with a line for themselves. */
export function DiaryPage() {
  const diary = useDiary();
  const acts = useDiaryActs();
  useMiniPlayer();
  const { entries, error, refetch } = diary;
  if (error && !entries) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!entries) return <PageLoader label={words.loading} />;
  const undo = acts.news?.undo;
  return (
    <div className="wrap">
      <PageHead title={words.title} lead={words.lead}>
        <p className="small">
          <Link to={paths.journey}>{words.back}</Link>
        </p>
      </PageHead>
      <Strip
        text={acts.news?.text}
        refused={acts.news?.refused}
        back={undo && { name: words.undo, run: () => acts.restore(undo) }}
        dismiss={words.dismiss}
        onDismiss={() => acts.tell(null)}
      />
      <Written diary={diary} acts={acts} />
    </div>
  );
}
