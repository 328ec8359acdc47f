import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useRef, useState } from "react";
import { sharing } from "@/copy/sharing";
import { toUserError } from "@/data/errors";
import { useInvite } from "@/data/invite";
import { useWrite } from "@/data/mutation";
import type { Share } from "@/gen/serein/web/v1/sharing_pb";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { formatCalendarDate } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { Dialog } from "@/ui/Dialog";
import { InviteByLetter, ShareWays } from "@/ui/share/SharePanel";
import { ErrorNote, Note } from "@/ui/States";
import css from "./ShareOwn.module.css";
import { END_SHARE, SHARE_MEDITATION } from "./writes";

const words = sharing.own;

interface Own {
  id: string;
  title: string;
}

/** What went wrong with a change of the link. */
const Failed = ({ why }: { why: string | undefined }) =>
  why ? <Note tone="danger">{words.failed(why)}</Note> : null;

/**
 * The first action of a part that comes takes the focus: the button that had it went with the part before, or the panel has opened
 * without it. On touch screens the focus stays where it is not lost.
 */
function useFirst() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement?.tagName === "DIALOG";
    if (isLost || !matchMedia("(pointer: coarse)").matches)
      ref.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, []);
  return ref;
}

/** No link runs: what one would show, and the button that makes it. */
function Make({ id, ended }: { id: string; ended: boolean }) {
  const [showName, setShowName] = useState(false);
  const make = useWrite(SHARE_MEDITATION);
  const ref = useFirst();
  return (
    <div className={css.own} ref={ref}>
      {ended ? <Note role="status">{words.ended}</Note> : null}
      <p className={css.text}>{words.what}</p>
      <Switch checked={showName} onChange={(event) => setShowName(event.target.checked)}>
        {words.name}
      </Switch>
      <Failed why={make.trouble?.message} />
      <Button
        look="primary"
        data-first
        pending={make.pending}
        onClick={() => void make.send({ id, showName })}
      >
        {make.pending ? words.making : words.make}
      </Button>
    </div>
  );
}

/** A link runs: it is handed on, shows a name or none, and can be ended. */
function Running({ id, title, share, onEnded }: Own & { share: Share; onEnded: () => void }) {
  const invite = useInvite();
  const name = useWrite(SHARE_MEDITATION);
  const end = useWrite(END_SHARE);
  const ref = useFirst();
  const what = { title, text: sharing.text(title), url: share.url };
  // It moves at the press, and goes back where the change is refused.
  const [wished, wish] = useState<boolean | null>(null);
  const showName = wished ?? share.shownName !== "";
  const show = async (on: boolean) => {
    if (name.pending) return;
    wish(on);
    await name.send({ id, showName: on });
    wish(null);
  };
  const stop = async () => {
    const { trouble } = await end.send({ id });
    if (!trouble) onEnded();
  };
  const made = share.createdAt ? words.since(formatCalendarDate(timestampMs(share.createdAt))) : "";
  return (
    <div className={css.own} ref={ref}>
      <p className={css.text}>{words.what}</p>
      {share.url ? (
        <p className={css.link}>
          <span className="sr">{words.link}: </span>
          {share.url}
        </p>
      ) : (
        <Note>{words.hidden}</Note>
      )}
      {share.url ? <ShareWays what={what} /> : null}
      <Switch
        data-first={share.url ? undefined : true}
        checked={showName}
        aria-busy={name.pending || undefined}
        onChange={(event) => void show(event.target.checked)}
      >
        {words.name}
      </Switch>
      <p className={css.text} role="status">
        {share.shownName ? words.nameShown(share.shownName) : words.nameHidden} {made}
      </p>
      <Failed why={name.trouble?.message ?? end.trouble?.message} />
      <Button look="danger" pending={end.pending} onClick={() => void stop()}>
        {end.pending ? words.ending : words.end}
      </Button>
      <InviteByLetter invite={invite} />
    </div>
  );
}

/** The share panel of one's own meditation, which is shared by nothing but the link that its member makes here. */
export default function ShareOwn({ id, title, onClose }: Own & { onClose: () => void }) {
  const { data, error, refetch } = useQuery(SharingService.method.getShare, { id }, { gcTime: 0 });
  const [ended, setEnded] = useState(false);
  const trouble = error && !data ? toUserError(error) : null;
  return (
    <Dialog title={sharing.titleOf(title)} onClose={onClose}>
      {trouble ? <ErrorNote message={trouble.message} onRetry={() => void refetch()} /> : null}
      {!data && !trouble ? <p role="status">{sharing.loading}</p> : null}
      {data && !data.share ? <Make id={id} ended={ended} /> : null}
      {data?.share ? (
        <Running id={id} title={title} share={data.share} onEnded={() => setEnded(true)} />
      ) : null}
    </Dialog>
  );
}
