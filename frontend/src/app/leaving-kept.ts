import { createKept } from "@/data/kept/kept";
import { bytesOf } from "@/data/kept/records";
import type { Data } from "@/lib/app";
import { leavingAsked } from "./leaving-store";

/** Whether the member signs out: who keeps something on this device is asked first, as signing out removes it. */
export async function mayLeave(data: Data): Promise<boolean> {
  const { items, keeper } = await data.part(createKept).read();
  if (items.length === 0 || keeper.uid !== data.session.get().member?.uid) return true;
  const leaves = await new Promise<boolean>((answer) =>
    leavingAsked.set({ count: items.length, bytes: bytesOf(items), answer }),
  );
  leavingAsked.set(null);
  return leaves;
}

/** Removes what is kept here: its member has left. */
export const clearKept = (data: Data): Promise<void> => data.part(createKept).clear();
