import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { useSyncExternalStore } from "react";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { follow, now } from "@/lib/clock";
import { preloadable } from "@/lib/preloadable";

const DeletedAt = preloadable<{ m: Meditation; gone: boolean }>(() => import("./DeletedAt"));

/** Whether a moment (ms since 1970, by the server's clock) has come. Asked each second, shown again only once it has. */
const useIsPast = (ms: number): boolean =>
  useSyncExternalStore(
    follow,
    () => now() >= ms,
    () => false,
  );

interface AtAddress {
  /** What stands there instead, once its time is over. */
  gone: ReactNode;
  /** Until when it can be heard, and the way to keep it. */
  notice: ReactNode;
}

/** What a meditation's page says about its deletion; null for a meditation that is not marked as deleted. */
export function useDeleted(m: Meditation | null): AtAddress {
  const past = useIsPast(m?.deletesAt ? timestampMs(m.deletesAt) : Infinity);
  if (!m || (!m.deletesAt && m.stage !== Stage.DELETED)) return { gone: null, notice: null };
  const gone = past || m.stage === Stage.DELETED;
  // The page waits for it: what came later would move all that stands below.
  const shown = <DeletedAt m={m} gone={gone} />;
  return gone ? { gone: shown, notice: null } : { gone: null, notice: shown };
}
