import { createKept } from "@/data/kept/kept";
import type { Data } from "@/lib/app";
import { createPlayer } from "../player";

/** How much of a recording lies between two writes (ms). */
const WRITE_MS = 5_000;

/**
 * A part of Data: notes on this device where the member is in a recording that they keep. The gateway takes it over when this device meets it
 * (data/kept/contact.ts), unless another device was listened to later.
 */
export function createPlaceKeeping(data: Data): { held: () => string | null } {
  const kept = data.part(createKept);
  const player = data.part(createPlayer);
  let written = { id: "", positionMs: 0 };
  const write = async (id: string, positionMs: number, durationMs: number) => {
    const turn = (await kept.store.place(id))?.turn ?? 0n;
    await kept.keepPlace({ id, positionMs, durationMs, heardAt: Date.now(), unsent: true, turn });
  };
  player.engine.subscribe(() => {
    const { recording, positionMs, durationMs, wanted, state } = player.engine.snapshot();
    if (!recording || !kept.now.get()?.items.some(({ id }) => id === recording.id)) return;
    const at = state === "ended" ? durationMs : positionMs;
    // Opened, and sought by the app itself: nobody has listened yet.
    if (written.id !== recording.id) written = { id: recording.id, positionMs: at };
    const far = Math.abs(at - written.positionMs);
    if (far < (wanted ? WRITE_MS : 1)) return;
    written = { id: recording.id, positionMs: at };
    void write(recording.id, at, durationMs).catch(() => undefined);
  });
  return { held: () => player.id };
}
