import { useQuery } from "@connectrpc/connect-query";
import { player as copy } from "@/copy/player";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { LibraryService } from "@/gen/serein/web/v1/library_pb";
import type { AskedTitle } from "@/lib/asked-title";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useStore } from "@/lib/store";
import { TextButton } from "@/ui/TextButton";
import { usePlayer } from "../hooks";
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

/** The first introduction after `played`, an id in the player, that has its sound; undefined after the last, and after what is no introduction. */
export function nextIntroduction(all: readonly MeditationCard[], played: string): MeditationCard | undefined {
  const at = all.findIndex((m) => playerId(m) === played);
  return at < 0 ? undefined : all.slice(at + 1).find(({ audioUrl }) => audioUrl);
}

/** Plays the next of the introduction. */
function Introduction({ played, className }: StepProps & { played: string }) {
  const player = usePlayer();
  const { data } = useQuery(LibraryService.method.listMeditations, { onlyIntro: true, pageSize: ALL });
  const { track } = useLibrarySound(player, data?.tracks ?? []);
  const next = nextIntroduction(data?.meditations ?? [], played);
  if (!next) return null;
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
  if (now?.recorded && isOfLibrary(now.recorded))
    return <Introduction played={now.recorded.id} className={className} />;
  return null;
}
