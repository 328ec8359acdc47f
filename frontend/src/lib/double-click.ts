/** Two presses nearer to each other than this are one double click: in time (ms), and in place (px). What systems take for one. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 8;

/**
 * Call for a press that takes its button away: the second press of a double click would fall on what lies beneath. `first` is that press.
 * Further presses at its place are swallowed while each comes right after the one before. Presses of the keyboard are not.
 */
export function swallowSecond(first: MouseEvent): void {
  if (first.detail === 0) return;
  let last = first.timeStamp;
  const watch = new AbortController();
  const onPress = (event: MouseEvent) => {
    const far = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) > DOUBLE_PX;
    if (far || event.timeStamp - last > DOUBLE_MS) return watch.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "click") last = event.timeStamp;
  };
  for (const type of ["mousedown", "click"] as const)
    document.addEventListener(type, onPress, { capture: true, signal: watch.signal });
}
