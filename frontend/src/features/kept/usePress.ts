import { useData } from "@/data/data";
import { createKept } from "@/data/kept/kept";
import { goesOnAt } from "@/data/kept/place";
import type { KeptItem } from "@/data/kept/records";
import { pressRecorded } from "@/player/of-library";
import { recordedOfKept } from "@/player/keep/keepable";
import type { Player } from "@/player/player";

/** What is nearer than this to its start was not begun in this tab (ms). */
const BEGUN_MS = 1_000;

/** Plays a kept recording from the place where this device knows that it was left, or pauses it. */
export function usePress(player: Player | null, item: KeptItem): () => void {
  const { store } = useData().part(createKept);
  const goOn = async (opened: Player) => {
    const place = await store.place(item.id);
    const here = opened.id === item.id && opened.engine.position() < BEGUN_MS;
    if (place && here) opened.engine.seek(goesOnAt(place));
  };
  return () => {
    if (!player) return;
    const other = player.id !== item.id;
    const recorded = recordedOfKept(item);
    pressRecorded(player, recorded);
    if (!other) return;
    player.now.set({ recorded, script: item.words });
    void goOn(player).catch(() => undefined);
  };
}
