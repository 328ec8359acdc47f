import { remember, remembered } from "@/lib/storage";
import type { Plan } from "./plan";
import type { BreathSettings, TimerSettings } from "./settings";
import { soundBreath, soundTimer } from "./settings";

/** What this tab keeps, through a reload: what is set, and the sitting that is under way. Signing out drops both. */

const SETTINGS = "serein-timer";
const SITTING = "serein-sitting";

/** Where a sitting was at a time of the clock (ms since 1970). */
export interface Kept {
  of: Plan["of"];
  positionMs: number;
  atMs: number;
  running: boolean;
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function parsed(key: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(remembered("sessionStorage", key) ?? "{}"));
  } catch {
    return {};
  }
}

export interface Settings {
  timer: TimerSettings;
  breath: BreathSettings;
}

export function keptSettings(): Settings {
  const { timer, breath } = parsed(SETTINGS);
  return { timer: soundTimer(objectOf(timer)), breath: soundBreath(objectOf(breath)) };
}

export const keepSettings = (settings: Settings): void =>
  remember("sessionStorage", SETTINGS, JSON.stringify(settings));

/** The sitting under way; null for none, or for what is none. */
export function keptSitting(): Kept | null {
  const { of, positionMs, atMs, running } = parsed(SITTING);
  const { kind, settings } = objectOf(of);
  if (typeof positionMs !== "number" || typeof atMs !== "number" || typeof running !== "boolean") return null;
  const where = { positionMs, atMs, running };
  if (kind === "timer") return { ...where, of: { kind, settings: soundTimer(objectOf(settings)) } };
  if (kind === "breath") return { ...where, of: { kind, settings: soundBreath(objectOf(settings)) } };
  return null;
}

export const keepSitting = (kept: Kept | null): void =>
  remember("sessionStorage", SITTING, kept && JSON.stringify(kept));
