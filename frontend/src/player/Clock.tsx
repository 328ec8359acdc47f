import { formatClock } from "@/lib/format";
import { usePlayerState } from "./hooks";

/** Elapsed time, large; while the ring is dragged, the time where it would land. */
export function Elapsed({ previewMs }: { previewMs: number | null }) {
  const second = usePlayerState((now) => Math.floor(now.positionMs / 1000));
  return <b>{formatClock(previewMs ?? second * 1000)}</b>;
}

/** Whole seconds from the place to the end, in milliseconds. */
export function useLeft(previewMs: number | null): number {
  const end = usePlayerState((now) => Math.floor(now.durationMs / 1000));
  const second = usePlayerState((now) => Math.floor(now.positionMs / 1000));
  const at = previewMs === null ? second : Math.floor(previewMs / 1000);
  return Math.max(0, end - at) * 1000;
}
