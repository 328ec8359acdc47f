import { Code } from "@connectrpc/connect";
import { useQuery } from "@connectrpc/connect-query";
import { useEffect } from "react";
import { shared as words } from "@/copy/shared";
import { toUserError } from "@/data/errors";
import type { GetSharedResponse } from "@/gen/serein/web/v1/sharing_pb";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useParams } from "@/lib/router";
import { useTitle } from "@/lib/title";
import { Controls, Status } from "@/player/Controls";
import { Elapsed } from "@/player/Clock";
import { Dial } from "@/player/Dial";
import { useHeldRecorded, usePlayer } from "@/player/hooks";
import { loopOf, scriptOf } from "@/player/recording";
import { Levels } from "@/player/Sound";
import { Transcript } from "@/player/Transcript";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { ButtonLink } from "@/ui/Button";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorPanel } from "@/ui/States";
import css from "./SharedPage.module.css";

/** Its name in the player, which is kept in this browser: not the whole of what opens it. */
const idOf = (token: string): string => `shared/${token.slice(0, 6)}`;

/** Puts the recording into the player while the page is shown. A recording that is not playing leaves the player with the page. Answers whether the player holds it. */
function useSharedPlayer(token: string, shared: GetSharedResponse) {
  const player = usePlayer();
  const { title, narratorName, audioUrl, durationMs, track } = shared;
  useEffect(() => {
    const id = idOf(token);
    player.openRecorded({
      id,
      title,
      narrator: narratorName,
      url: audioUrl,
      seconds: Number(durationMs) / 1000,
      scene: "",
      seed: id,
      to: window.location.pathname,
      loop: loopOf(track),
      immersive: false,
    });
    return () => player.leave(id);
  }, [player, token, title, narratorName, audioUrl, durationMs, track]);
  return useHeldRecorded(player) === idOf(token);
}

function Shown({ token, shared }: { token: string; shared: GetSharedResponse }) {
  useTitle(shared.title);
  const held = useSharedPlayer(token, shared);
  const script = scriptOf(shared.segments);
  const by = shared.sharedBy ? words.sharedBy(shared.sharedBy) : words.sharedByNobody;
  const minutes = words.minutes(listeningOf(Math.round(Number(shared.durationMs) / 1000)));
  const facts = [shared.typeName, minutes, shared.narratorName && words.read(shared.narratorName)];
  return (
    <div className="wrap">
      <header className={css.head}>
        <p className={css.by}>{by}</p>
        <h1>{shared.title}</h1>
        <p className={css.facts}>{facts.filter(Boolean).join(", ")}</p>
      </header>
      <div className={css.stage} data-theme="dark">
        <section className={css.player} aria-label={words.player}>
          <Dial script={script} className={css.dial}>
            {(previewMs) => <Elapsed previewMs={previewMs} />}
          </Dial>
          <div className={css.buttons}>
            <Controls held={held} />
            <Status className={css.status} />
          </div>
          <div className={css.levels}>
            <Levels tracks={shared.track ? [shared.track] : []} />
          </div>
        </section>
        <Transcript script={script} />
      </div>
      <p className={css.from}>{words.from}</p>
      <p className={css.acts}>
        <ButtonLink to={paths.home}>{words.about}</ButtonLink>
        <ButtonLink look="quiet" to={paths.generator}>
          {words.join}
        </ButtonLink>
      </p>
    </div>
  );
}

/** Nothing is heard any more of a link that was ended while its page was open. */
function Gone({ token }: { token: string }) {
  const player = usePlayer();
  useEffect(() => {
    if (player.id === idOf(token)) player.close();
  }, [player, token]);
  const { title, message, action } = words.gone;
  return (
    <Empty
      as="h1"
      title={title}
      action={
        <ButtonLink look="primary" to={paths.home}>
          {action}
        </ButtonLink>
      }
    >
      {message}
    </Empty>
  );
}

/** What a link leads to that a member has made: it plays without an account. Looked at again, it is asked for again. */
export function SharedPage() {
  const { token = "" } = useParams();
  const { data, error, refetch } = useQuery(
    SharingService.method.getShared,
    { token },
    { refetchOnWindowFocus: "always" },
  );
  useMiniPlayer();
  if (error) {
    const trouble = toUserError(error);
    if (trouble.code === Code.NotFound || trouble.code === Code.InvalidArgument)
      return <Gone token={token} />;
    if (!data) return <ErrorPanel as="h1" {...trouble} onRetry={() => void refetch()} />;
  }
  if (!data) return <PageLoader label={words.opening} />;
  return <Shown key={token} token={token} shared={data} />;
}
