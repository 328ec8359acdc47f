import { miniSlot } from "@/lib/mini-slot";
import { MiniPlayer } from "./MiniPlayer";
import { player } from "./runtime";

/** Elements that have their own use for the space bar. */
const OWN_SPACE = "input, button, a, select, textarea, summary, [contenteditable], dialog, [role=tab]";

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== " " || event.defaultPrevented || event.repeat || !player.now.get()) return;
  if (event.target instanceof Element && event.target.closest(OWN_SPACE)) return;
  event.preventDefault();
  player.toggle();
}

let kept = false;

/** From now on the player outlives its page: the mini player stands in the shell, and Space plays and pauses. */
export function keepPlayer(): void {
  if (kept) return;
  kept = true;
  const place = () => miniSlot.set(player.now.get() && player.fullPlayers.get() === 0 ? MiniPlayer : null);
  player.now.subscribe(place);
  player.fullPlayers.subscribe(place);
  place();
  document.addEventListener("keydown", onKeyDown);
}
