import type { Data } from "@/lib/app";
import { whenIdle } from "@/lib/idle";
import { createPlayer } from "../player";
import { printOf } from "../print";

/** A part of Data: has the print of what is heard drawn for the lock screen, where it has no picture of an editor's. The answer ends that. */
export function createLockScreen(data: Data): () => void {
  const player = data.part(createPlayer);
  const { engine } = player;
  let drawn = "";
  const follow = () => {
    const { wanted, recording } = engine.snapshot();
    const now = player.now.get();
    if (!wanted || !recording || recording.picture || recording.id === drawn || !now) return;
    const { id } = recording;
    drawn = id;
    const draw = async () =>
      engine.setPicture(id, await (await import("../more/artwork")).artworkOf(printOf(now)));
    // Where it cannot be drawn, the app's own picture stays.
    whenIdle(() => void draw().catch(() => undefined));
  };
  follow();
  const leave = engine.subscribe(follow);
  return () => void leave();
}
