import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { keepDraft, readDraft } from "./draft";
import { Made } from "./Made";
import { freshAnswers } from "./model";
import { generatorPage } from "@/testing/meditations";

beforeEach(() => sessionStorage.clear());

/** A script that is longer than any window. */
const SCRIPT = segments(40);

function Page() {
  useMiniPlayer();
  return (
    <main>
      <Made meditation={meditation()} segments={SCRIPT} justMade={false} notice={null} />
    </main>
  );
}

const open = () =>
  show(<Page />, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation(), newSegments: segments(6) };
      }),
  });

test("there is one way to play it: the print's; scrolled away from, the mini player", async () => {
  const { screen, player } = await open();
  await expect.poll(() => player.now.get()).not.toBeNull();
  expect(screen.getByRole("region", { name: "Now playing" }).query()).toBeNull();
  await screen.getByRole("button", { name: "Play After the long meeting" }).click();
  await expect.element(screen.getByRole("button", { name: "Pause After the long meeting" })).toBeVisible();
  expect(screen.getByRole("region", { name: "Now playing" }).query()).toBeNull();
  expect(player.engine.snapshot().wanted).toBe(true);
  await page.viewport(360, 740);
  await screen.getByText("Read the script").click();
  window.scrollTo({ top: 3000, behavior: "instant" });
  await expect.element(screen.getByRole("region", { name: "Now playing" })).toBeVisible();
  await page.viewport(900, 800);
});

test("the script opens below, and the print with its button stays where it is", async () => {
  const { screen } = await open();
  const play = screen.getByRole("button", { name: "Play After the long meeting" });
  await expect.element(play).toBeInViewport();
  const before = play.element().getBoundingClientRect().top;
  await screen.getByText("Read the script").click();
  await expect.element(screen.getByText("This is line 40.")).toBeVisible();
  expect(Math.abs(play.element().getBoundingClientRect().top - before)).toBeLessThan(40);
  await expect.element(play).toBeInViewport();
});

test.for([
  [360, 740],
  [900, 800],
  [1440, 900],
] as const)("the night behind keeps its size, however long the script is, %s", async ([width, height]) => {
  await page.viewport(width, height);
  const { screen } = await open();
  const night = screen.getByRole("region", { name: "After the long meeting" }).element();
  const lake = () => night.querySelector(":scope > [aria-hidden]")?.getBoundingClientRect().height;
  const before = [night.getBoundingClientRect().height, lake()] as const;
  await screen.getByText("Read the script").click();
  await expect.element(screen.getByText("This is line 40.")).toBeVisible();
  expect(night.getBoundingClientRect().height).toBeGreaterThan(before[0] + 500);
  expect(lake()).toBe(before[1]);
  await page.viewport(900, 800);
});

test("says what it is, what it cost and where it is kept", async () => {
  const { screen } = await open();
  await expect.element(screen.getByRole("heading", { name: "After the long meeting" })).toBeVisible();
  await expect.element(screen.getByText(/Reset, 1 minute, with Rain\. Narrated by Maren/)).toBeVisible();
  await expect.element(screen.getByText(/2 credits were used/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "Open the player" }))
    .toHaveAttribute("href", "/journey/m1");
  expect(await axeFaults()).toEqual([]);
});

test("making another one begins with an empty form", async () => {
  keepDraft({ ...freshAnswers(generatorPage()), title: "After the long meeting" }, "amara");
  const { screen } = await open();
  await screen.getByRole("link", { name: "Make another" }).click();
  expect(readDraft("amara")).toBeNull();
});

test("left without a press on play, it leaves nothing in the player", async () => {
  const { screen, player } = await open();
  await expect.poll(() => player.now.get()).not.toBeNull();
  await screen.unmount();
  expect(player.id).toBeNull();
});
