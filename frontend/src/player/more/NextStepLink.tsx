import { useQuery } from "@connectrpc/connect-query";
import { player as copy } from "@/copy/player";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { LibraryService } from "@/gen/serein/web/v1/library_pb";
import type { AskedTitle } from "@/lib/asked-title";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useStore } from "@/lib/store";
import { titleFault } from "@/lib/title-rules";
import { TextButton } from "@/ui/TextButton";
import { usePlayer } from "../hooks";
import { isArticle } from "../of-article";
import { isOfLibrary, playerId, pressRecorded, recordedOf } from "../of-library";
import { useLibrarySound } from "../useLibrarySound";

/** More than there are introductions. */
const ALL = 100;

interface StepProps {
  className: string | undefined;
}

/** Leads to the generator with a title that is made from this recording's. */
function Tomorrow({ title, className }: StepProps & { title: string }) {
  const asked: AskedTitle = { title };
  return (
    <p className={className}>
      <Link to={paths.generator} state={asked}>
        {copy.next.tomorrow(title)}
      </Link>
    </p>
  );
}

/** Leads to the generator with the title of something that is everybody's; without one where it would not fit, or is not given. */
function Own({ title = "", className }: StepProps & { title?: string }) {
  const fits = titleFault(title) === "";
  const asked: AskedTitle | undefined = fits ? { title } : undefined;
  return (
    <p className={className}>
      <Link to={paths.generator} state={asked}>
        {fits ? copy.next.own(title) : copy.next.make}
      </Link>
    </p>
  );
}

/** The first introduction after `played`, an id in the player, that has its sound; undefined after the last, and after what is no introduction. */
export function nextIntroduction(all: readonly MeditationCard[], played: string): MeditationCard | undefined {
  const at = all.findIndex((m) => playerId(m) === played);
  return at < 0 ? undefined : all.slice(at + 1).find(({ audioUrl }) => audioUrl);
}

/** Plays the next of the introduction; after the last, and after any other meditation of the library, leads to the generator. */
function OfLibrary({ played, title, className }: StepProps & { played: string; title: string }) {
  const player = usePlayer();
  const { data, isPending } = useQuery(LibraryService.method.listMeditations, {
    onlyIntro: true,
    pageSize: ALL,
  });
  const { track } = useLibrarySound(player, data?.tracks ?? []);
  const introductions = data?.meditations ?? [];
  const next = nextIntroduction(introductions, played);
  if (isPending) return null;
  if (!next) {
    const isLast = introductions.some((m) => playerId(m) === played);
    return isLast ? <Own className={className} /> : <Own title={title} className={className} />;
  }
  return (
    <p className={className}>
      <TextButton onClick={() => pressRecorded(player, recordedOf(next, track))}>
        {copy.next.introduction(next.title)}
      </TextButton>
    </p>
  );
}

/** What may follow what is in the player. */
export default function NextStepLink({ className }: StepProps) {
  const now = useStore(usePlayer().now);
  if (now?.meditation?.tomorrowTitle)
    return <Tomorrow title={now.meditation.tomorrowTitle} className={className} />;
  const { id = "", title = "" } = now?.recorded ?? {};
  if (isOfLibrary(now?.recorded)) return <OfLibrary played={id} title={title} className={className} />;
  return isArticle(id) ? <Own title={title} className={className} /> : null;
}
