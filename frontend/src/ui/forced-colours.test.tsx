import { afterEach, expect, test } from "vitest";
import { cdp, page } from "vitest/browser";
import { Header } from "@/app/Header";
import { Tabs } from "@/features/journey/Tabs";
import { show } from "@/testing/page";
import { CreditDots } from "./CreditDots";
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
      <CreditDots credits={{ plan: 1, topUp: 0, held: 0 }} of={2} />
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

test.for([1280, 390])("with forced colours the page one is on is marked, %s px wide", async (width) => {
  await page.viewport(width, 800);
  await forced();
  const { screen } = await show(
    <>
      <p style={{ background: "LinkText" }}>a link's colour</p>
      <Header />
    </>,
    { member: null },
  );
  const menu = screen.getByRole("button", { name: "Menu" });
  if (menu.query()) await menu.click();
  const here = screen.getByRole("link", { name: "Home", exact: true }).element();
  const elsewhere = screen.getByRole("link", { name: "Bespoke Meditation Generator" }).element();
  const mark = getComputedStyle(here, "::after");
  expect([mark.width, mark.height, mark.forcedColorAdjust]).toEqual(["5px", "5px", "none"]);
  expect(mark.backgroundColor).toBe(ground(screen.getByText("a link's colour").element()));
  expect(getComputedStyle(elsewhere, "::after").content).toBe("none");
  await page.viewport(900, 800);
});

test("with forced colours the chosen tab is marked, and the others are not", async () => {
  await forced();
  const tab = (id: string) => ({ id, label: id, panel: <p>{id} panel</p> });
  const { screen } = await show(
    <main>
      <p style={{ background: "Highlight" }}>mark</p>
      <p style={{ background: "Canvas" }}>page</p>
      <Tabs
        label="My Journey"
        tabs={[tab("Bespoke"), tab("Library")]}
        selected="Library"
        onSelect={() => {}}
      />
    </main>,
  );
  const under = (name: string) =>
    getComputedStyle(screen.getByRole("tab", { name }).element()).borderBottomColor;
  expect(under("Library")).toBe(ground(screen.getByText("mark").element()));
  expect(under("Bespoke")).toBe(ground(screen.getByText("page", { exact: true }).element()));
});
