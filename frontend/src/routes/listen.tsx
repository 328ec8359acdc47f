import { useLocation, useParams } from "@/lib/router";
import { player as copy } from "@/copy/player";
import { useGeneratorPage } from "@/data/generator-page";
import { Gone } from "@/features/generator/Gone";
import { useDeleted } from "@/features/journey/at-address";
import { FullPlayer } from "@/player/FullPlayer";
import { useLive } from "@/data/live-meditations";
import { scriptOf } from "@/player/recording";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { PageLoader } from "@/ui/PageLoader";
import { Empty } from "@/ui/States";

const GoneAction = () => (
  <ButtonLink look="primary" to={paths.journey}>
    {copy.gone.action}
  </ButtonLink>
);

/** A meditation that cannot be listened to as a whole: its own page says why. */
function NotReady({ id }: { id: string }) {
  const action = (
    <ButtonLink look="primary" to={paths.meditation(id)}>
      {copy.notReady.action}
    </ButtonLink>
  );
  return (
    <Empty as="h1" title={copy.notReady.title} action={action}>
      {copy.notReady.message}
    </Empty>
  );
}

/** The full player of one finished meditation. Left without a press on play, it leaves nothing behind. */
function OwnPage({ id }: { id: string }) {
  const state: unknown = useLocation().state;
  const { meditation, segments, link, trouble } = useLive(id);
  const { data: page, error } = useGeneratorPage();
  useTitle(meditation?.title ?? "");
  useMiniPlayer();
  const { gone, notice } = useDeleted(meditation);
  if (link === "gone") return <Gone id={id} trouble={trouble} copy={copy.gone} action={<GoneAction />} />;
  if (!meditation) return <PageLoader label={copy.opening} />;
  if (gone) return gone;
  if (meditation.stage !== Stage.READY) return <NotReady id={id} />;
  return (
    <FullPlayer
      meditation={meditation}
      script={scriptOf(segments)}
      tracks={error ? [] : page?.tracks}
      back={backFrom(state)}
      notice={notice}
    />
  );
}

/** Back to where one came from inside the app; else to My Journey. */
function backFrom(state: unknown): string {
  const from = typeof state === "object" && state !== null && "from" in state ? state.from : null;
  return typeof from === "string" && from.startsWith("/") ? from : paths.journey;
}

/** The player's page of one of the member's own meditations. */
export default function ListenPage() {
  const { id = "" } = useParams();
  return <OwnPage id={id} />;
}
