import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { cdp, page } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { generatorPage, meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { FullPlayer } from "./FullPlayer";
import { scriptOf } from "./recording";
import { useMiniPlayer } from "./useMiniPlayer";

/** As its page: what plays outlives it. */
function Mini() {
  useMiniPlayer();
  return null;
}

/** The player of a finished minute. */
async function open(more: Parameters<typeof meditation>[0] = {}, notice?: ReactNode) {
  const made = await show(
    <main>
      <Mini />
      <FullPlayer
        meditation={meditation(more)}
        script={scriptOf(segments(6))}
        tracks={generatorPage().tracks}
        back="/journey"
        notice={notice}
      />
    </main>,
    {
      gateway: ({ rpc }) =>
        rpc(GeneratorService.method.watchMeditation, async function* () {
          yield { meditation: meditation(more), newSegments: segments(6) };
        }),
    },
  );
  await expect.element(made.screen.getByRole("slider", { name: "Position" })).toHaveAttribute("max", "60");
  return made;
}

const box = (element: Element) => element.getBoundingClientRect();

afterEach(async () => {
  await cdp().send("Emulation.setEmulatedMedia", { features: [] });
  await page.viewport(900, 800);
});

test.for([
  [360, 740],
  [390, 844],
  [768, 1024],
  [900, 1000],
] as const)("the first line of the transcript is seen without scrolling, %s", async ([width, height]) => {
  await page.viewport(width, height);
  const { screen } = await open();
  const line = box(screen.getByText("This is line 1.").element());
  expect(line.bottom).toBeLessThan(height);
  expect(line.top - box(screen.getByRole("button", { name: "Play" }).element()).bottom).toBeLessThan(120);
});

test("words and sounds are in a tablet's window together with play", async () => {
  await page.viewport(900, 1000);
  const { screen } = await open();
  for (const name of ["Voice", "Rain"] as const)
    expect(box(screen.getByRole("slider", { name }).element()).bottom).toBeLessThan(1000);
});

test("the words of Keep browsing are its link", async () => {
  const { screen } = await open();
  await screen.getByText("Keep browsing").click();
  expect(window.location.pathname).toBe("/journey");
});

test("the title comes before the transcript in reading order", async () => {
  const { screen } = await open();
  const [title, words] = [
    screen.getByRole("heading", { level: 1 }).element(),
    screen.getByRole("region", { name: "Transcript" }).element(),
  ];
  expect(title.compareDocumentPosition(words) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(await axeFaults()).toEqual([]);
});

test("the voice alone has one volume, until a sound is chosen beneath it", async () => {
  await page.viewport(1440, 900);
  const { screen, player } = await open({ immersive: false, track: undefined });
  const rain = screen.getByRole("slider", { name: "Rain, volume" });
  await expect.element(screen.getByRole("slider", { name: "Voice, volume" })).toBeVisible();
  await expect.element(screen.getByRole("radio", { name: "None" })).toBeChecked();
  expect(rain.query()).toBeNull();
  await screen.getByRole("radio", { name: "Rain" }).click({ force: true });
  await expect.element(rain).toBeVisible();
  expect(player.engine.snapshot().loop?.id).toBe("rain");
});

test("in forced colours no picture lies behind the words", async () => {
  await cdp().send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await open();
  for (const svg of document.querySelectorAll("main > div > [aria-hidden] svg"))
    expect(box(svg).width).toBe(0);
});

test("the mini player takes over while less than a quarter of the controls is in view", async () => {
  await page.viewport(360, 740);
  const { screen, player } = await open();
  const mini = screen.getByRole("region", { name: "Now playing" });
  player.play();
  await expect.element(screen.getByRole("button", { name: "Pause" })).toBeVisible();
  expect(mini.query()).toBeNull();
  window.scrollTo({ top: 2000, behavior: "instant" });
  await expect.element(mini).toBeVisible();
  window.scrollTo({ top: 0, behavior: "instant" });
  await expect.poll(() => mini.query()).toBeNull();
});

test("the recording is downloaded from its player", async () => {
  const saved: (string | null)[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute("href"));
  });
  const { screen } = await open();
  await screen.getByRole("button", { name: "Download", exact: true }).click();
  expect(saved).toEqual(["/media/meditations/m1/download"]);
  expect(await axeFaults()).toEqual([]);
});

test("on a phone a notice has a line to itself", async () => {
  await page.viewport(360, 740);
  await open({}, <p>This one is marked deleted.</p>);
  const note = box(page.getByText("This one is marked deleted.").element());
  expect(note.width).toBeGreaterThan(300);
  expect(note.top).toBeGreaterThanOrEqual(box(page.getByText("Keep browsing").element()).bottom);
});
