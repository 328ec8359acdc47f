import type { ConnectRouter } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { LibraryService } from "@/gen/serein/web/v1/library_pb";
import { generatorPage, meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { START_DELAY_MS } from "./engine/engine";
import { FullPlayer } from "./FullPlayer";
import { scriptOf } from "./recording";
import { useMiniPlayer } from "./useMiniPlayer";

const watched =
  (tomorrowTitle: string) =>
  ({ rpc }: ConnectRouter) =>
    rpc(GeneratorService.method.watchMeditation, async function* () {
      yield { meditation: meditation({ tomorrowTitle }), newSegments: segments(6) };
    });

const full = (
  <main>
    <FullPlayer
      meditation={meditation()}
      script={scriptOf(segments(6))}
      tracks={generatorPage().tracks}
      back="/journey"
    />
  </main>
);

function Page() {
  useMiniPlayer();
  return (
    <main>
      <h1>Page</h1>
    </main>
  );
}

type Shown = Awaited<ReturnType<typeof show>>;

/** Hears what is in the player to its end. */
async function hear({ player, world }: Shown) {
  await expect.poll(() => player.engine.snapshot().durationMs).toBeGreaterThan(0);
  player.play();
  world.pass(START_DELAY_MS);
  world.audio.arrive();
  world.audio.finish();
  await expect.poll(() => player.engine.snapshot().state).toBe("ended");
}

test("at the end of a bespoke one a title for tomorrow leads to the generator, and waits for nobody", async () => {
  const made = await show(full, {
    path: "/journey/m1",
    gateway: watched("After the long meeting, a day later"),
  });
  const link = made.screen.getByRole("link", {
    name: "Make one for tomorrow: After the long meeting, a day later",
  });
  expect(link.query()).toBeNull();
  await hear(made);
  await expect.element(link).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  made.player.play();
  made.world.pass(START_DELAY_MS);
  made.world.audio.arrive();
  await expect.poll(() => link.query()).toBeNull();
  await hear(made);
  await link.click();
  expect(window.location.pathname).toBe("/bespoke-meditation-generator");
  expect(window.history.state).toEqual({ title: "After the long meeting, a day later" });
});

test("where the server makes no title of it there is nothing", async () => {
  const made = await show(full, { path: "/journey/m1", gateway: watched("") });
  await hear(made);
  await expect.element(made.screen.getByText("That’s the end. Take your time.")).toBeVisible();
  expect(made.screen.getByText(/Make one for tomorrow/).query()).toBeNull();
});

const recorded = (id: string) => ({
  id: `library/${id}`,
  title: id,
  narrator: "Maren",
  url: `/media/narrations/${id}.mp3`,
  seconds: 60,
  scene: "Mindfulness",
  seed: id,
  to: "/meditation-library",
  loop: null,
  immersive: false,
});

const introductions = ({ rpc }: ConnectRouter) =>
  rpc(LibraryService.method.listMeditations, ({ onlyIntro }) => ({
    meditations: onlyIntro
      ? ["breath", "silent", "body"].map((id) => ({
          id,
          title: `With the ${id}`,
          intro: true,
          verified: true,
          audioUrl: id === "silent" ? "" : `/media/narrations/${id}.mp3`,
          audioSeconds: 60,
        }))
      : [],
  }));

test("at the end of an introduction the mini player offers the next that can be played, and after the last the generator", async () => {
  const made = await show(<Page />, { gateway: introductions });
  made.player.openRecorded(recorded("breath"));
  await hear(made);
  const next = made.screen.getByRole("button", { name: "Next in the introduction: With the body" });
  await expect.element(next).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await next.click();
  await expect.poll(() => made.player.id).toBe("library/body");
  await expect.poll(() => next.query()).toBeNull();
  await hear(made);
  await expect
    .element(made.screen.getByRole("link", { name: "Make a meditation of your own" }))
    .toBeVisible();
  expect(made.screen.getByText(/Next in the introduction/).query()).toBeNull();
});

test.for([
  ["library/lake", "a meditation of the library"],
  ["article/kind", "an article"],
] as const)("at the end of %s one of their own can be made from its title", async ([id]) => {
  const made = await show(<Page />, { gateway: introductions });
  made.player.openRecorded({ ...recorded("lake"), id, title: "The lake after rain" });
  await hear(made);
  await made.screen.getByRole("link", { name: "Make one of your own: The lake after rain" }).click();
  expect(window.history.state).toEqual({ title: "The lake after rain" });
});
