import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { START_DELAY_MS } from "./engine/engine";
import { useShown } from "./hooks";
import { useControls } from "./useControls";
import { useMiniPlayer } from "./useMiniPlayer";

function Full() {
  const ref = useControls<HTMLParagraphElement>(useShown("m1"));
  return <p ref={ref}>full player</p>;
}

function Page({ full }: { full: boolean }) {
  useMiniPlayer();
  return (
    <main>
      <h1>Page</h1>
      <label>
        Search <input />
      </label>
      {full ? <Full /> : null}
    </main>
  );
}

async function open({ full = false, stage = Stage.READY } = {}) {
  const made = await show(<Page full={full} />, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.watchMeditation, async function* (_, { signal }) {
        yield { meditation: meditation({ stage }), newSegments: segments(6) };
        if (stage !== Stage.READY) await new Promise((done) => signal.addEventListener("abort", done));
      }),
  });
  return { ...made, mini: made.screen.getByRole("region", { name: "Now playing" }) };
}

test("stands at the foot of the page once something is in the player, and tells the page so", async () => {
  const { mini, player } = await open();
  expect(mini.query()).toBeNull();
  expect(document.body.dataset["mini"]).toBeUndefined();
  player.open("m1", { play: true });
  await expect.element(mini).toBeInViewport();
  expect(document.body.dataset["mini"]).toBe("");
  await expect.element(mini.getByText("0:00 of 1:00, with Rain")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("leads to the full player, or to the making of one that is not ready", async () => {
  const ready = await open();
  ready.player.open("m1");
  await expect.element(ready.mini.getByRole("link")).toHaveAttribute("href", "/journey/m1");
  await ready.screen.unmount();
  const making = await open({ stage: Stage.NARRATING });
  making.player.open("m1");
  await expect
    .element(making.mini.getByRole("link"))
    .toHaveAttribute("href", "/bespoke-meditation-generator/m1");
});

test("Space plays and pauses, except where it is written", async () => {
  const { mini, screen, player, world } = await open();
  player.open("m1");
  await expect.element(mini).toBeVisible();
  await userEvent.keyboard(" ");
  expect(player.engine.snapshot().wanted).toBe(true);
  world.pass(START_DELAY_MS);
  await userEvent.keyboard(" ");
  expect(player.engine.snapshot().wanted).toBe(false);
  await screen.getByLabelText("Search").click();
  await userEvent.keyboard(" ");
  expect(player.engine.snapshot().wanted).toBe(false);
});

test("goes back 15 seconds while it plays, and can be closed while it does not", async () => {
  const { mini, player } = await open();
  player.open("m1", { play: true });
  await expect.element(mini).toBeVisible();
  player.engine.seek(40_000);
  await mini.getByRole("button", { name: "Back 15 seconds" }).click();
  expect(player.engine.position()).toBe(25_000);
  await mini.getByRole("button", { name: "Pause" }).click();
  await mini.getByRole("button", { name: "Close the player" }).click();
  await expect.poll(() => mini.query()).toBeNull();
  expect(document.body.dataset["mini"]).toBeUndefined();
  expect(player.id).toBeNull();
});

test("makes room for a full player, and a page that was left without a press leaves nothing behind", async () => {
  const { mini, player, screen } = await open({ full: true });
  await expect.poll(() => player.now.get()).not.toBeNull();
  expect(mini.query()).toBeNull();
  await screen.unmount();
  expect(player.now.get()).toBeNull();
});

const RECORDED = {
  id: "library/lake",
  title: "The lake after rain",
  narrator: "Maren",
  url: "/media/lake.mp3",
  seconds: 100,
  scene: "Better Sleep",
  seed: "lake",
  to: "/meditation-library?search=The+lake",
  loop: null,
  immersive: false,
};

test("its title brings back what plays on the page itself, and leaves the address as the member has it", async () => {
  const path = "/meditation-library?search=rain";
  const Shelf = () => {
    useMiniPlayer();
    return (
      <main>
        <p data-plays={RECORDED.id} style={{ height: 130, marginBottom: 3000 }}>
          the ring
        </p>
      </main>
    );
  };
  const { screen, player } = await show(<Shelf />, { path });
  player.openRecorded(RECORDED, { play: true });
  await expect.element(screen.getByRole("link", { name: /The lake after rain/ })).toBeVisible();
  window.scrollTo({ top: 2000, behavior: "instant" });
  await screen.getByRole("link", { name: /The lake after rain/ }).click();
  await expect.element(screen.getByText("the ring")).toBeInViewport();
  expect(window.location.pathname + window.location.search).toBe(path);
});

test("where the page does not show what plays, the title leads to its address, at the page's top", async () => {
  const { screen, player } = await open();
  window.history.replaceState(null, "", "/meditation-library?search=rain");
  player.openRecorded(RECORDED, { play: true });
  document.body.style.minHeight = "4000px";
  window.scrollTo({ top: 2000, behavior: "instant" });
  await screen.getByRole("link", { name: /The lake after rain/ }).click();
  expect(window.location.search).toBe("?search=The+lake");
  expect(window.scrollY).toBe(0);
  document.body.style.minHeight = "";
});
