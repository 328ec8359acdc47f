import type { MessageInitShape } from "@bufbuild/protobuf";
import { useNavigate } from "@/lib/router";
import { useLiveMeditations } from "@/data/live-meditations";
import { useWrite } from "@/data/mutation";
import type { Draft } from "@/gen/serein/web/v1/drafts_pb";
import { localDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { usePlayer } from "@/player/hooks";
import type { Answers } from "./model";
import { spokenName } from "./spokenName";
import { GENERATE } from "./writes";

/** What Generate asks for, and what a script is written for. */
export const requestOf = ({ trackId, title, sayName, ...rest }: Answers, givenName: string) => ({
  ...rest,
  givenName: sayName ? givenName : "",
  title: title.trim(),
  trackId: rest.immersive ? trackId : "",
  localDate: localDate(Date.now()),
});

/** Generate, and the narration of a script that was read: asks once, shows the meditation being made, and begins to listen. */
export function useGenerate() {
  const navigate = useNavigate();
  const player = usePlayer();
  const name = spokenName(useMember()?.givenName);
  const lives = useLiveMeditations();
  const { send, pending, trouble, forget } = useWrite(GENERATE);

  const begin = async (request: MessageInitShape<typeof GENERATE.method.input>) => {
    // The press is the only moment a browser lets us unlock the sound that comes later.
    player.engine.unlock();
    const sent = await send(request);
    const meditation = sent.answer?.meditation;
    if (!meditation) return sent.trouble;
    lives.of(meditation.id).take(meditation);
    player.open(meditation.id, { play: true });
    void navigate(paths.meditation(meditation.id));
    return null;
  };
  const generate = (answers: Answers) => begin(requestOf(answers, name));
  const narrate = ({ id, revision }: Pick<Draft, "id" | "revision">) =>
    begin({ draftId: id, draftRevision: revision });
  return { generate, narrate, pending, trouble, forget };
}
