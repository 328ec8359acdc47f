import type { ComponentProps } from "react";
import { Suspense, useEffect } from "react";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { partOf } from "@/lib/preloadable";
import { usePlayer, usePlayerState } from "./hooks";
import { playerId } from "./of-library";

/** In its own chunk: the pages that show it render before it has loaded. */
const InlinePlayer = partOf(
  () => import("./inline/InlinePlayer"),
  (module) => module.InlinePlayer,
);

/** While it comes the mini player does not jump in for a moment. */
function Awaited({ id }: { id: string }) {
  const { showFull } = usePlayer();
  const held = usePlayerState((now) => now.recording?.id === id);
  useEffect(() => (held ? showFull() : undefined), [showFull, held]);
  return null;
}

/** An inline player over a picture, which changes no place of the page when it comes. */
export const OverPicture = (props: Omit<ComponentProps<typeof InlinePlayer>, "over">) => (
  <Suspense fallback={<Awaited id={props.id} />}>
    <InlinePlayer {...props} over />
  </Suspense>
);

/** The inline player of a meditation of the library that is in the player; the tile's own press plays it. */
export const OverTile = ({ m }: { m: MeditationCard }) => (
  <OverPicture id={playerId(m)} title={m.title} lengthMs={m.audioSeconds * 1000} />
);
