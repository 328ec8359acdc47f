import { afterEach, expect, test } from "vitest";
import { cdp } from "vitest/browser";
import { show } from "@/testing/page";
import { Beads } from "./Beads";
import { Range } from "./Choice";

afterEach(() => cdp().send("Emulation.setEmulatedMedia", { features: [] }));

const forced = () =>
  cdp().send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });

const ground = (element: Element, pseudo?: string) => getComputedStyle(element, pseudo).backgroundColor;

test("with forced colours a full bead can be told from a spent one, and a slider has a track", async () => {
  await forced();
  await show(
    <main>
      <p style={{ background: "CanvasText" }}>text</p>
      <Beads credits={{ plan: 1, topUp: 0, held: 0 }} of={2} />
      <Range aria-label="Size" min={0} max={100} value={50} onChange={() => {}} />
    </main>,
  );
  const text = document.querySelector("main > p");
  const [full, spent] = document.querySelectorAll("main [aria-hidden] > i");
  const range = document.querySelector("input");
  if (!text || !full || !spent || !range) throw new Error("a part is missing");
  expect(ground(full, "::after")).toBe(ground(text));
  expect(ground(spent, "::after")).not.toBe(ground(text));
  expect(getComputedStyle(range).forcedColorAdjust).toBe("none");
});
