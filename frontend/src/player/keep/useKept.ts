import { useData } from "@/data/data";
import type { OnDevice } from "@/data/kept/kept";
import { createKept } from "@/data/kept/kept";
import { useSession } from "@/lib/session";
import { useStore } from "@/lib/store";

/** What is on this device, for the member who is here; null while it is read. Without a connection it is that of the member who was here last. */
export function useKept(): { kept: ReturnType<typeof createKept>; now: OnDevice | null; mine: boolean } {
  const kept = useData().part(createKept);
  const now = useStore(kept.now);
  const { member, serverTime } = useSession();
  const unknown = serverTime === 0;
  const mine = now !== null && (unknown ? now.keeper.open : now.keeper.uid === member?.uid);
  return { kept, now, mine };
}
