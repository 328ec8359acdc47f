import { remember, remembered } from "@/lib/storage";

/** The turn in which this tab heard what it heard last, as the gateway counts turns. A later one may have heard more of it. */
const KEY = "serein-turn";

/** The turn up to which this tab knows the place in `id`; 0n where it knows no turn. */
export function turnIn(id: string): bigint {
  const [kept, turn] = (remembered("sessionStorage", KEY) ?? "").split(" ");
  return kept === id ? BigInt(turn ?? 0) : 0n;
}

export const keepTurn = (id: string, turn: bigint): void => remember("sessionStorage", KEY, `${id} ${turn}`);

export const forgetTurn = (): void => remember("sessionStorage", KEY, null);
