import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Controls } from "./Controls";
import { Dial } from "./Dial";
import { useShown } from "./hooks";

function Page() {
  useShown("m1");
  return (
    <main data-theme="dark" style={{ background: "#0c1517", padding: 40 }}>
      <h1>Player</h1>
      <Dial>{() => <span>inside</span>}</Dial>
      <Controls held />
    </main>
  );
}

/** A player of a finished minute, or of what lasts as long as that. */
async function open(lengthMs = 60_000) {
  const made = await show(<Page />, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation({ expectedMs: BigInt(lengthMs) }), newSegments: segments(6) };
      }),
  });
  const ring = made.screen.getByRole("slider", { name: "Position" });
  await expect.element(ring).toHaveAttribute("max", String(Math.floor(lengthMs / 1000)));
  return { ...made, ring };
}

const at = (ring: Element) => Number((ring as HTMLInputElement).value);

/** The point of the ring at a share of its circle, in px of the window. */
function pointAt(ring: Element, share: number) {
  const box = ring.parentElement?.getBoundingClientRect();
  if (!box) throw new Error("the ring is not shown");
  const turn = share * 2 * Math.PI;
  const radius = (box.width / 2) * 0.95;
  return {
    clientX: box.left + box.width / 2 + radius * Math.sin(turn),
    clientY: box.top + box.height / 2 - radius * Math.cos(turn),
  };
}

const pointer = (ring: Element, type: string, share: number) =>
  ring.parentElement?.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      cancelable: true,
      pointerId: 1,
      button: 0,
      ...pointAt(ring, share),
    }),
  );

test("the keys of a slider move the place, and its value is said in words", async () => {
  const { ring } = await open();
  await ring.element().parentElement?.querySelector("input")?.focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(ring).toHaveAttribute("aria-valuetext", "5 seconds of 1 minute 0 seconds");
  await userEvent.keyboard("{PageUp}");
  await expect.poll(() => at(ring.element())).toBe(20);
  await userEvent.keyboard("{End}");
  await expect.poll(() => at(ring.element())).toBe(60);
  await userEvent.keyboard("{Home}");
  await expect.poll(() => at(ring.element())).toBe(0);
});

test("the ring is dragged to a place; only letting go seeks", async () => {
  const { ring, player } = await open();
  const element = ring.element();
  // A made-up pointer cannot be captured.
  if (element.parentElement) element.parentElement.setPointerCapture = () => {};
  pointer(element, "pointerdown", 0.1);
  pointer(element, "pointermove", 0.5);
  await expect.poll(() => at(element), { message: "shown while dragged" }).toBe(30);
  expect(player.engine.position()).toBe(0);
  pointer(element, "pointerup", 0.5);
  await expect.poll(() => Math.round(player.engine.position() / 1000)).toBe(30);
});

test("the ring says the second that the clocks show", async () => {
  const { ring } = await open(354_600);
  await expect.element(ring).toHaveAttribute("aria-valuetext", "0 seconds of 5 minutes 54 seconds");
});

test("crossing 12 o'clock stays at the end instead of jumping to the start", async () => {
  const { ring } = await open();
  const element = ring.element();
  if (element.parentElement) element.parentElement.setPointerCapture = () => {};
  pointer(element, "pointerdown", 0.9);
  pointer(element, "pointermove", 0.05);
  await expect.poll(() => at(element)).toBe(60);
});

test("Reset goes to the start and hands the focus to Play", async () => {
  const { screen, player, ring } = await open();
  player.engine.seek(20_000);
  await screen.getByRole("button", { name: "Reset" }).click();
  await expect.element(screen.getByRole("button", { name: "Play" })).toHaveFocus();
  expect(at(ring.element())).toBe(0);
  expect(screen.getByRole("button", { name: "Reset" }).query()).toBeNull();
});

test("is accessible", async () => {
  await open();
  expect(await axeFaults()).toEqual([]);
});
