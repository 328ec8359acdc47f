import type { ConnectRouter } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { DiaryService } from "@/gen/serein/web/v1/diary_pb";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import { meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { START_DELAY_MS } from "../engine/engine";
import { useMiniPlayer } from "../useMiniPlayer";

function Page() {
  useMiniPlayer();
  return (
    <main>
      <h1>Page</h1>
    </main>
  );
}

/** A gateway of which another device plays until it is taken over. */
async function open() {
  const asked: boolean[] = [];
  let moved = false;
  const made = await show(<Page />, {
    gateway: (router: ConnectRouter) => {
      router.rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation(), newSegments: segments(60) };
      });
      router.service(PlayerService, {
        getPlace: () => ({ turn: 3n, positionMs: 21_000n }),
        startListening: ({ takeOver }) => {
          asked.push(takeOver);
          return takeOver
            ? { turn: 5n, lastTurn: 4n, positionMs: 24_000n }
            : { otherDevice: true, otherTitle: "The lake after rain" };
        },
        savePlace: () => ({ moved }),
      });
    },
  });
  const { player, screen } = made;
  const pictures = vi.spyOn(player.engine, "setPicture");
  player.open("m1");
  await expect.poll(() => player.engine.position()).toBe(21_000);
  player.play();
  const dialog = screen.getByRole("dialog", { name: "Carry on here?" });
  await expect.element(dialog).toBeVisible();
  return { ...made, dialog, asked, pictures, move: () => (moved = true) };
}

test("the second device asks before it carries on, and waits silently", async () => {
  const { dialog, player, asked } = await open();
  await expect.element(dialog.getByText("“The lake after rain” is playing on another device.")).toBeVisible();
  expect(player.engine.snapshot().wanted).toBe(false);
  expect(await axeFaults()).toEqual([]);
  await dialog.getByRole("button", { name: "Leave it there" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(player.engine.snapshot().wanted).toBe(false);
  expect(asked).toEqual([false]);
});

test("one press carries on here, from where it is by now; taken over in turn, it falls silent and says so", async () => {
  const { dialog, player, world, screen, asked, move } = await open();
  await expect.element(dialog.getByRole("button", { name: "Carry on here" })).toHaveFocus();
  await dialog.getByRole("button", { name: "Carry on here" }).click();
  await expect.poll(() => player.engine.position()).toBe(24_000);
  expect(player.engine.snapshot().wanted).toBe(true);
  expect(asked).toEqual([false, true]);
  world.pass(START_DELAY_MS);
  world.audio.arrive();
  move();
  player.engine.seek(40_000);
  await expect.poll(() => player.engine.snapshot().wanted).toBe(false);
  expect(screen.getByRole("dialog").query()).toBeNull();
});

test("the print of what was asked for is drawn for the lock screen, once", async () => {
  const { pictures, player } = await open();
  await expect
    .poll(() => pictures.mock.calls)
    .toEqual([["m1", expect.stringMatching(/^data:image\/png;base64,/)]]);
  player.engine.seek(30_000);
  expect(pictures).toHaveBeenCalledTimes(1);
});

test("heard to its end, a line for the diary is offered without taking the focus, and written", async () => {
  const lines: string[] = [];
  let begun = false;
  const { player, world, screen } = await show(<Page />, {
    gateway: (router: ConnectRouter) => {
      router.rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation(), newSegments: segments(60) };
      });
      router.service(PlayerService, {
        getPlace: () => ({}),
        startListening: () => {
          begun = true;
          return { turn: 1n };
        },
        savePlace: ({ utcOffsetMinutes }) => ({
          diaryEntryId: utcOffsetMinutes === -new Date().getTimezoneOffset() ? "e1" : "",
        }),
      });
      router.rpc(DiaryService.method.changeEntry, ({ id, line }) => {
        lines.push(`${id} ${line}`);
        return { entry: { id, line } };
      });
    },
  });
  player.open("m1");
  await expect.poll(() => player.engine.snapshot().durationMs).toBeGreaterThan(0);
  player.play();
  world.pass(START_DELAY_MS);
  world.audio.arrive();
  await expect.poll(() => begun).toBe(true);
  world.audio.finish();
  const offer = screen.getByRole("region", { name: "A line for your diary" });
  await expect.element(offer).toBeVisible();
  expect(document.activeElement).toBe(document.body);
  expect(await axeFaults()).toEqual([]);
  await offer.getByRole("button", { name: "A line for your diary" }).click();
  await screen.getByLabelText("Your line").fill("Quieter now.");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  expect(lines).toEqual(["e1 Quieter now."]);
  await expect.element(offer).not.toBeInTheDocument();
});
