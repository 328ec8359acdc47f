import { useNavigate } from "@/lib/router";
import { useLiveMeditations } from "@/data/live-meditations";
import { useWrite } from "@/data/mutation";
import { localDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { usePlayer } from "@/player/hooks";
import type { Answers } from "./model";
import { spokenName } from "./spokenName";
import { GENERATE } from "./writes";

const requestOf = ({ trackId, title, sayName, ...rest }: Answers, givenName: string) => ({
  ...rest,
  givenName: sayName ? givenName : "",
  title: title.trim(),
  trackId: rest.immersive ? trackId : "",
  localDate: localDate(Date.now()),
});

/** Generate: asks once, shows the meditation being made, and begins to listen. */
export function useGenerate() {
  const navigate = useNavigate();
  const player = usePlayer();
  const name = spokenName(useMember()?.givenName);
  const lives = useLiveMeditations();
  const { send, pending, trouble, forget } = useWrite(GENERATE);

  const generate = async (answers: Answers) => {
    // The press is the only moment a browser lets us unlock the sound that comes later.
    player.engine.unlock();
    const sent = await send(requestOf(answers, name));
    const meditation = sent.answer?.meditation;
    if (!meditation) return sent.trouble;
    lives.of(meditation.id).take(meditation);
    player.open(meditation.id, { play: true });
    void navigate(paths.meditation(meditation.id));
    return null;
  };
  return { generate, pending, trouble, forget };
}
