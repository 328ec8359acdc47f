import { useState } from "react";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { START_DELAY_MS } from "../engine/engine";
import { usePlayer } from "../hooks";
import { pressRecorded } from "../of-library";
import type { Recorded } from "../recording";
import { useMiniPlayer } from "../useMiniPlayer";
import { InlinePlayer } from "./InlinePlayer";

const RECORDED: Recorded = {
  id: "article/kind",
  title: "The kind pause",
  narrator: "Iona",
  url: "/media/kind.mp3",
  seconds: 100,
  scene: "Gratitude",
  seed: "kind",
  to: "/articles/the-kind-pause",
  loop: null,
  immersive: false,
};

function Page() {
  const player = usePlayer();
  const [shown, set] = useState(true);
  useMiniPlayer();
  return (
    <main>
      <h1>Page</h1>
      {shown ? (
        <InlinePlayer
          id={RECORDED.id}
          title={RECORDED.title}
          lengthMs={100_000}
          onPress={() => pressRecorded(player, RECORDED)}
        />
      ) : null}
      <button onClick={() => set(false)}>Leave</button>
      <p style={{ height: "3000px" }}>Long</p>
    </main>
  );
}

async function open() {
  const made = await show(<Page />, { member: null });
  const { screen, world } = made;
  return {
    ...made,
    ring: screen.getByRole("slider", { name: "Position" }),
    mini: screen.getByRole("region", { name: "Now playing" }),
    play: async () => {
      await screen.getByRole("button", { name: "Play The kind pause" }).click();
      world.pass(START_DELAY_MS);
      world.audio.arrive();
    },
  };
}

test("is drawn as specified, and can be turned once the player holds it", async () => {
  const { screen, ring, play } = await open();
  const drawn = document.querySelectorAll("main svg circle[r]");
  expect([...drawn].map((circle) => circle.getAttribute("r"))).toEqual(["65", "65", "9"]);
  expect(getComputedStyle(drawn[0] as Element).strokeWidth).toBe("2px");
  expect(drawn[0]?.getBoundingClientRect().width).toBe(130);
  await expect.element(ring).toBeDisabled();
  await play();
  await expect.element(ring).toBeEnabled();
  await expect.element(screen.getByText("0:00 of 1:40")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("seeks when it is released, and not before", async () => {
  const { play, player, screen } = await open();
  await play();
  await expect.element(screen.getByRole("button", { name: "Pause The kind pause" })).toBeVisible();
  const hit = document.querySelector<SVGElement>("main svg circle:last-child");
  const svg = hit?.ownerSVGElement?.getBoundingClientRect();
  if (!hit || !svg) throw new Error("no ring");
  const [x, y] = [svg.left + svg.width / 2, svg.top + svg.height / 2];
  const say = (type: string, dx: number, dy: number) =>
    hit.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, clientX: x + dx, clientY: y + dy }),
    );
  // Only a pointer that is down can be captured.
  hit.setPointerCapture = () => {};
  say("pointerdown", 65, 0);
  await expect.element(screen.getByText("0:25 of 1:40")).toBeVisible();
  say("pointermove", 0, 65);
  await expect.element(screen.getByText("0:50 of 1:40")).toBeVisible();
  expect(player.engine.position()).toBe(0);
  say("pointerup", 0, 65);
  expect(player.engine.position()).toBeCloseTo(50_000, -2);
});

test("follows arrow keys, Home and End", async () => {
  const { play, player, ring } = await open();
  await play();
  await expect.element(ring).toBeEnabled();
  (ring.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}");
  expect(player.engine.position()).toBe(5_000);
  await userEvent.keyboard("{End}");
  expect(player.engine.position()).toBe(100_000);
  await userEvent.keyboard("{Home}");
  expect(player.engine.position()).toBe(0);
});

test("offers Reset while paused with time elapsed, and keeps the focus", async () => {
  const { play, player, screen, ring } = await open();
  await play();
  player.engine.seek(30_000);
  const reset = screen.getByRole("button", { name: "Reset" });
  expect(reset.query()).toBeNull();
  await screen.getByRole("button", { name: "Pause The kind pause" }).click();
  await reset.click();
  expect(player.engine.position()).toBe(0);
  await expect.poll(() => reset.query()).toBeNull();
  await expect.element(ring).toHaveFocus();
});

test("at its end there is one next step, while it is in view and after", async () => {
  const { play, mini, screen, world } = await open();
  await play();
  await expect.element(screen.getByRole("button", { name: "Pause The kind pause" })).toBeVisible();
  world.audio.finish();
  const step = screen.getByRole("link", { name: "Make one of your own: The kind pause" });
  await expect.element(step).toBeInViewport();
  expect(step.elements()).toHaveLength(1);
  expect(mini.query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
  const box = (document.querySelector("main svg") as Element).getBoundingClientRect();
  window.scrollTo({ top: box.top + box.height * 0.9, behavior: "instant" });
  await expect.element(mini).toBeVisible();
  expect(step.elements()).toHaveLength(1);
});

test("the mini player takes over while less than a quarter of it is in view, and when its page is left", async () => {
  const { play, mini, screen, player } = await open();
  await play();
  await expect.element(screen.getByRole("button", { name: "Pause The kind pause" })).toBeVisible();
  expect(mini.query()).toBeNull();
  const box = (document.querySelector("main svg") as Element).getBoundingClientRect();
  window.scrollTo({ top: box.top + box.height * 0.6, behavior: "instant" });
  expect(mini.query(), "two fifths are in view").toBeNull();
  window.scrollTo({ top: box.top + box.height * 0.9, behavior: "instant" });
  await expect.element(mini).toBeVisible();
  window.scrollTo({ top: 0, behavior: "instant" });
  await expect.poll(() => mini.query()).toBeNull();
  await screen.getByRole("button", { name: "Leave" }).click();
  await expect.element(mini.getByRole("link")).toHaveAttribute("href", RECORDED.to);
  expect(player.engine.snapshot().state, "it plays on").toBe("playing");
});
