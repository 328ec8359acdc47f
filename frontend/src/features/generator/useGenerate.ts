import { Code, ConnectError } from "@connectrpc/connect";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Trouble } from "@/data/errors";
import { toTrouble } from "@/data/errors";
import { client, journeyChanged, liveOf, player, showCredits } from "@/player/runtime";
import type { GenerateResponse } from "@/gen/serein/web/v1/generator_pb";
import { localDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import type { Answers } from "./model";

/** Tries of one press. They carry the same key, so that the server makes one meditation and holds once. */
const TRIES = 3;
const PAUSE_MS = 700;
const AGAIN = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown]);

async function send(answers: Answers): Promise<GenerateResponse> {
  const idempotencyKey = crypto.randomUUID();
  const { trackId, ...rest } = answers;
  const request = {
    ...rest,
    title: answers.title.trim(),
    trackId: answers.immersive ? trackId : "",
    idempotencyKey,
    localDate: localDate(Date.now()),
  };
  for (let tries = 1; ; tries++) {
    try {
      return await client.generate(request);
    } catch (cause) {
      if (tries >= TRIES || !AGAIN.has(ConnectError.from(cause).code)) throw cause;
      await new Promise((done) => setTimeout(done, PAUSE_MS * tries));
    }
  }
}

/** The press on Generate: asks once, shows the meditation being made, and begins to listen. */
export function useGenerate() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const running = useRef(false);

  const generate = async (answers: Answers) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setTrouble(null);
    // The press is the only moment a browser lets us unlock the sound that comes later.
    player.engine.unlock();
    try {
      const { meditation, credits } = await send(answers);
      if (!meditation) return;
      showCredits(credits);
      liveOf(meditation.id).take(meditation);
      journeyChanged();
      player.open(meditation.id, { play: true });
      void navigate(paths.meditation(meditation.id));
    } catch (cause) {
      setTrouble(toTrouble(cause));
      // Without an answer it may have gone through; then it is offered as the one being made.
      journeyChanged();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { generate, busy, trouble, forget: () => setTrouble(null) };
}
