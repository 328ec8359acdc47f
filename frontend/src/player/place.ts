import { remember, remembered } from "@/lib/storage";

/** Where the member stopped in the meditation they heard last, kept for this tab: a reload goes on from there. */
const KEY = "serein-heard";
/** A meditation that stopped nearer than this to its end counts as finished and starts from the beginning (ms). */
const END_MS = 3_000;

/** Milliseconds into `id`; 0 where nothing is kept. */
export function placeIn(id: string): number {
  const [kept, ms] = (remembered("sessionStorage", KEY) ?? "").split(" ");
  return kept === id ? Number(ms) || 0 : 0;
}

export function keepPlace(id: string, ms: number, ofMs: number): void {
  const place = ms > ofMs - END_MS ? 0 : Math.floor(ms);
  remember("sessionStorage", KEY, `${id} ${place}`);
}

export const forgetPlace = (): void => remember("sessionStorage", KEY, null);
