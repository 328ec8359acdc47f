import { useEffect, useReducer, useRef, useState } from "react";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { studio as copy } from "@/copy/studio";
import type { UserError } from "@/data/errors";
import { toUserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { Made } from "@/gen/serein/web/v1/studio_pb";
import { now } from "@/lib/clock";
import { dayAndTime, formatClock } from "@/lib/format";
import { Art } from "@/ui/Art";
import { Button, IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Empty, ErrorNote, ErrorPanel, Skeleton } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { toast } from "@/ui/toast/store";
import type { RowResult } from "./list";
import { changed, idOf, rowsOf, UNCHANGED } from "./list";
import { Progress } from "./Making";
import { isUnderWay } from "./model";
import { PlainPlayer } from "@/player/PlainPlayer";
import css from "./Unverified.module.css";
import { useMade } from "./useMade";
import { DELETE, RESTORE, VERIFY } from "./writes";

function facts(made: Made): string {
  const isArticle = made.item?.kind === ItemKind.ARTICLE;
  const seconds = made.audioSeconds;
  return [
    isArticle && copy.list.articleFact,
    made.type,
    made.practice,
    made.intro && copy.list.intro,
    !isArticle && (made.immersive ? copy.list.immersive : copy.list.voiceOnly),
    seconds > 0 && formatClock(seconds * 1000),
  ]
    .filter(Boolean)
    .join(", ");
}

const madeBy = (made: Made): string =>
  copy.list.madeBy(
    made.generatedBy || copy.list.somebody,
    made.createdAt ? dayAndTime(timestampMs(made.createdAt), now()) : "",
  );

interface RowProps {
  made: Made;
  /** Its sound is open; one at a time. */
  heard: boolean;
  onHear: (id: string) => void;
  /** What became of it, to be shown in its place. */
  onActed: (result: RowResult) => void;
}

function Acts({
  made,
  heard,
  onHear,
  onActed,
  onTrouble,
}: RowProps & { onTrouble: (t: UserError | null) => void }) {
  const verify = useWrite(VERIFY);
  const remove = useWrite(DELETE);
  const id = idOf(made);
  const { title } = made;
  const act = async (write: typeof verify | typeof remove, done: RowResult["act"]) => {
    const { answer, trouble } = await write.send({ id });
    onTrouble(trouble);
    if (answer) onActed({ made: answer.made ?? made, act: done });
  };
  return (
    <div className={css.acts}>
      <Button
        look="quiet"
        small
        aria-label={heard ? copy.list.stopOf(title) : copy.list.listenTo(title)}
        aria-expanded={heard}
        onClick={() => onHear(heard ? "" : id)}
      >
        <Icon name={heard ? "close" : "play"} />
        {heard ? copy.list.stop : copy.list.listen}
      </Button>
      <Button
        look="tint"
        small
        pending={verify.pending}
        aria-label={copy.list.verifyOf(title)}
        onClick={() => void act(verify, "verified")}
      >
        <Icon name="tick" />
        {copy.list.verify}
      </Button>
      <IconButton
        icon="bin"
        label={copy.list.remove(title)}
        aria-busy={remove.pending || undefined}
        onClick={() => void act(remove, "deleted")}
      />
    </div>
  );
}

function Row(props: RowProps) {
  const { made, heard } = props;
  const [trouble, setTrouble] = useState<UserError | null>(null);
  const busy = isUnderWay(made);
  return (
    <li className={css.row}>
      <Art scene={made.category?.name ?? ""} seed={made.title} w={120} h={150} className={css.art} />
      <div>
        <h2 className={css.title}>{made.title}</h2>
        <p className={css.facts}>{facts(made)}</p>
        <p className={css.facts}>{madeBy(made)}</p>
      </div>
      {busy ? (
        <div className={css.busy}>
          <Progress made={made} />
        </div>
      ) : (
        <Acts {...props} onTrouble={setTrouble} />
      )}
      {heard && made.audioUrl ? (
        <div className={css.below}>
          <PlainPlayer src={made.audioUrl} label={copy.list.sound(made.title)} play />
        </div>
      ) : null}
      {trouble ? (
        <div className={css.below}>
          <ErrorNote message={trouble.message} />
        </div>
      ) : null}
    </li>
  );
}

/** The button that was pressed has gone with its row: the focus goes on in its place. */
function useFocusHere<T extends HTMLElement>(wanted: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (wanted) ref.current?.focus({ preventScroll: true });
  }, [wanted]);
  return ref;
}

function Verified({ made }: { made: Made }) {
  const ref = useFocusHere<HTMLLIElement>(true);
  return (
    <li className={css.done} ref={ref} tabIndex={-1}>
      <Icon name="tick" />
      <span role="status">{copy.list.verified(made.title)}</span>
    </li>
  );
}

/** Deleted: until it is gone for good it can be brought back from its place. */
function Deleted({ made, here, onRestored }: { made: Made; here: boolean; onRestored: () => void }) {
  const ref = useFocusHere<HTMLButtonElement>(here);
  const { send, pending, trouble } = useWrite(RESTORE);
  const restore = async () => {
    const { answer } = await send({ id: idOf(made) });
    if (!answer) return;
    toast(copy.list.restored(made.title));
    onRestored();
  };
  return (
    <li className={css.done}>
      <Icon name="bin" />
      <span role="status">{trouble ? trouble.message : copy.list.deleted(made.title)}</span>
      <span className={css.undo}>
        <TextButton
          ref={ref}
          unavailable={pending}
          aria-label={copy.list.undoOf(made.title)}
          onClick={() => void restore()}
        >
          {copy.list.undo}
        </TextButton>
        {made.deletedUntil ? (
          <span className="caption muted">
            {copy.list.until(dayAndTime(timestampMs(made.deletedUntil), now()))}
          </span>
        ) : null}
      </span>
    </li>
  );
}

/** The meditations that nobody has verified yet, and what is being narrated. */
export function Unverified() {
  const query = useMade();
  const [list, change] = useReducer(changed, UNCHANGED);
  if (query.isPending)
    return (
      <div className={css.waiting} role="status" aria-label={copy.list.loading}>
        {[1, 2, 3].map((i) => (
          <Skeleton key={i} height="96px" round="var(--r2)" />
        ))}
      </div>
    );
  if (!query.made)
    return <ErrorPanel as="h2" {...toUserError(query.error)} onRetry={() => void query.refetch()} />;
  const shown = rowsOf(query.made, list);
  if (shown.length === 0)
    return (
      <Empty as="h2" title={copy.list.empty.title}>
        {copy.list.empty.text}
      </Empty>
    );
  return (
    <>
      <ul className={css.list}>
        {shown.map((made) => {
          const id = idOf(made);
          const done = list.results.get(id);
          if (done?.act === "verified") return <Verified key={id} made={made} />;
          if (done?.act === "deleted" || made.deletedUntil)
            return (
              <Deleted
                key={id}
                made={done?.made ?? made}
                here={done !== undefined}
                onRestored={() => change({ type: "restored", made, shown })}
              />
            );
          return (
            <Row
              key={id}
              made={made}
              heard={list.playing === id}
              onHear={(played) => change({ type: "played", id: played })}
              onActed={(result) => change({ type: "done", result, shown })}
            />
          );
        })}
      </ul>
      {query.hasNextPage ? (
        <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {copy.list.more}
        </Button>
      ) : null}
    </>
  );
}
