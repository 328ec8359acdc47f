import { forThisHour } from "@/copy/day";
import { memberHome as copy } from "@/copy/member-home";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import type { GetMemberHomeResponse } from "@/gen/serein/web/v1/home_pb";
import type { AskedTitle } from "@/lib/asked-title";
import type { Member } from "@/lib/boot";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { usePlayer } from "@/player/hooks";
import { playerId, pressRecorded, recordedOf } from "@/player/of-library";
import { useLibrarySound } from "@/player/useLibrarySound";
import { Part, PlayedPart } from "./Part";

interface RecordingProps {
  m: MeditationCard;
  tracks: readonly AmbientTrack[];
  label: string;
}

/** A meditation of the library, played where it is pressed. */
function Recording({ m, tracks, label }: RecordingProps) {
  const player = usePlayer();
  const { track } = useLibrarySound(player, tracks);
  return (
    <PlayedPart
      label={label}
      title={m.title}
      fact={[copy.minutes(listeningOf(m.audioSeconds)), m.category?.name].filter(Boolean).join(", ")}
      scene={m.category?.name ?? ""}
      seed={m.id}
      id={playerId(m)}
      press={() => pressRecorded(player, recordedOf(m, track))}
    />
  );
}

/** One suggestion for this hour: a meditation of the library, or a title for the generator. Empty if the gateway sends no suggestion. */
export function Suggestion({ home, hour }: { home: GetMemberHomeResponse; hour: number }) {
  const label = forThisHour(hour);
  if (home.meditation) return <Recording m={home.meditation} tracks={home.tracks} label={label} />;
  if (!home.title) return null;
  const asked: AskedTitle = { title: home.title };
  return (
    <Part label={label} fact={copy.makeOne} scene="" seed={home.title} icon="arrow">
      <Link to={paths.generator} state={asked}>
        {home.title}
      </Link>
    </Part>
  );
}

/** Where nothing was begun and nothing suggests itself, a way on all the same. */
export function Otherwise({ member }: { member: Member }) {
  const mayMake = member.plan?.active !== false;
  return (
    <Part
      label={copy.whenever}
      fact={mayMake ? copy.makeText : copy.membershipsText}
      scene=""
      seed={member.uid}
      icon="arrow"
    >
      {mayMake ? (
        <Link to={paths.generator}>{copy.make}</Link>
      ) : (
        <Link to={paths.memberships}>{copy.memberships}</Link>
      )}
    </Part>
  );
}
