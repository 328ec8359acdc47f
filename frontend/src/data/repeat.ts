import { jittered } from "@/lib/jitter";

/** How a read is repeated by itself. Before jitter, each pause is one and a half times the one before. */
export interface Repeat {
  /** The first pause and the longest (ms). */
  firstMs: number;
  mostMs: number;
  /** How many repeats in a row may fail or change nothing; after the last one the app stops. */
  times: number;
}

const GROWTH = 1.5;

/** What is needed of a query of TanStack Query. */
interface Asked {
  state: { data: unknown; dataUpdateCount: number; errorUpdateCount: number };
}

/** Repeats of one read that have changed nothing. */
interface Run {
  how: Repeat;
  /** The answer that none of them has changed. */
  data: unknown;
  /** Answers and failures of the read when the pause was drawn: until the next one, the pause stays the same. */
  settled: number;
  times: number;
  ms: number | false;
  said: boolean;
}

const runs = new WeakMap<Asked, Run>();

/** The refetch interval of a read that is repeated as `how` says: ms, or false after the last repeat. `draw` answers 0 to 1. */
export function repeated(query: Asked, how: Repeat, draw: () => number = Math.random): number | false {
  const { data, dataUpdateCount, errorUpdateCount } = query.state;
  const settled = dataUpdateCount + errorUpdateCount;
  const run = runs.get(query);
  if (run?.how === how && run.settled === settled) return run.ms;
  // A pause that was drawn before the first answer is no repeat.
  const goesOn = run?.how === how && run.settled > 0 && run.data === data;
  const times = goesOn ? run.times + 1 : 0;
  const pause = Math.min(how.mostMs, how.firstMs * GROWTH ** times);
  const ms = times < how.times && jittered(pause, draw());
  runs.set(query, { how, data, settled, times, ms, said: goesOn && run.said });
  return ms;
}

/** Call when a read needs no repeats any more: the next ones begin with the first pause. */
export const endRun = (query: Asked): void => void runs.delete(query);

/** Whether the last repeat of a read has been made. */
export const isOver = (query: Asked): boolean => runs.get(query)?.ms === false;

/** Whether the last repeat of a read has been made; true once. */
export function justOver(query: Asked): boolean {
  const run = runs.get(query);
  if (run?.ms !== false || run.said) return false;
  run.said = true;
  return true;
}
