import { useEffect, useRef } from "react";
import { studio as copy } from "@/copy/studio";
import type { Made } from "@/gen/serein/web/v1/studio_pb";
import { NarrationState } from "@/gen/serein/web/v1/studio_pb";
import { Button, ButtonLink } from "@/ui/Button";
import { Note } from "@/ui/States";
import css from "./Making.module.css";
import type { Kind } from "./model";
import { isUnderWay, shareOf } from "./model";
import { PlainPlayer } from "@/player/PlainPlayer";
import { tabAddress } from "./Tabs";

function stateText({ narration }: Made): string {
  if (!narration || narration.state === NarrationState.WAITING) return copy.making.waiting;
  if (narration.state === NarrationState.FAILED) return copy.making.failed;
  const { passagesDone, passagesTotal } = narration;
  return copy.making.passage(Math.min(passagesDone + 1, passagesTotal), passagesTotal);
}

/** How far the narrator is. */
export function Progress({ made }: { made: Made }) {
  const share = shareOf(made);
  return (
    <div className={css.progress}>
      <p role="status">
        <span>{stateText(made)}</span>
        <span>{share > 0 ? `${Math.round(share * 100)}%` : ""}</span>
      </p>
      <progress value={share} max={1} aria-label={stateText(made)} />
    </div>
  );
}

const articleAddress = (slug: string): string => `/articles/${encodeURIComponent(slug)}`;

/** What was made: to be heard, and the way on. */
function Result({ kind, made, gone }: { kind: Kind; made: Made | undefined; gone: boolean }) {
  return (
    <>
      <Note icon="tick" role="status">
        {made && (kind === "article" || !gone) ? copy.making.done(made.title) : copy.making.gone}{" "}
        {kind === "meditation" && made && !gone ? copy.making.check : ""}
      </Note>
      {made?.audioUrl ? <PlainPlayer src={made.audioUrl} label={copy.list.sound(made.title)} /> : null}
    </>
  );
}

interface MakingProps {
  kind: Kind;
  /** As it stands now; absent while it is not known, and when it waits no longer. */
  made: Made | undefined;
  gone: boolean;
  onAgain: () => void;
}

/** In the place of Generate: narrating, then the result. */
export function Making({ kind, made, gone, onAgain }: MakingProps) {
  const ref = useRef<HTMLDivElement>(null);
  // The pressed button is gone, so an editor who uses the keyboard goes on from here.
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  const busy = !gone && (!made || isUnderWay(made));
  return (
    <div className={css.making} ref={ref} tabIndex={-1}>
      {made && busy ? <Progress made={made} /> : null}
      {busy ? null : <Result kind={kind} made={made} gone={gone} />}
      <div className={css.acts}>
        {busy ? (
          <>
            <Button look="primary" pending>
              {copy.making.pending}
            </Button>
            <span className="small muted">
              {kind === "meditation" ? copy.making.leave : copy.making.leaveArticle}
            </span>
          </>
        ) : null}
        {!busy && kind === "meditation" ? (
          <ButtonLink look="primary" to={tabAddress("unverified")}>
            {copy.making.toUnverified}
          </ButtonLink>
        ) : null}
        {kind === "article" && made?.slug ? (
          <ButtonLink look={busy ? "line" : "primary"} to={articleAddress(made.slug)}>
            {copy.making.toArticle}
          </ButtonLink>
        ) : null}
        <Button look="quiet" onClick={onAgain}>
          {copy.making.another}
        </Button>
      </div>
    </div>
  );
}
