import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { generatorPage } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { START_DELAY_MS } from "../engine/engine";
import { useMiniPlayer } from "../useMiniPlayer";

const RECORDED = {
  id: "library/lake",
  title: "The lake after rain",
  narrator: "Maren",
  url: "/media/narrations/lake.mp3",
  seconds: 492,
  scene: "Better Sleep",
  seed: "lake",
  to: "/meditation-library",
  loop: null,
  immersive: false,
};

function Page() {
  useMiniPlayer();
  return (
    <main>
      <h1>Page</h1>
    </main>
  );
}

const VTT = `WEBVTT

00:00:00.000 --> 00:00:02.000
The rain has just stopped.

00:00:06.000 --> 00:00:09.000
Hear one of them land.
`;

let words = new Response();
const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  words = new Response(VTT);
  vi.spyOn(window, "fetch").mockImplementation((address) => {
    asked.push(String(address));
    return Promise.resolve(words.clone());
  });
});

/** The sheet, opened from the mini player of what plays. */
async function open(who = member() as ReturnType<typeof member> | null, keepsVolume = true) {
  const made = await show(<Page />, {
    member: who,
    gateway: ({ rpc }) => rpc(GeneratorService.method.getGenerator, () => generatorPage()),
  });
  made.world.keepsVolume = keepsVolume;
  made.player.openRecorded(RECORDED, { play: true });
  made.world.pass(START_DELAY_MS);
  made.world.audio.arrive();
  const mini = made.screen.getByRole("region", { name: "Now playing" });
  await mini.getByRole("button", { name: "Sound, speed and sleep timer" }).click();
  const sheet = made.screen.getByRole("dialog", { name: "Sound, speed and sleep timer" });
  await expect.element(sheet.getByRole("radio", { name: "Rain" })).toBeInTheDocument();
  return { ...made, sheet, now: () => made.player.engine.snapshot() };
}

afterEach(async () => {
  vi.restoreAllMocks();
  await page.viewport(900, 800);
});

test.for([["a member", member()] as const, ["a visitor", null] as const])(
  "%s puts a sound beneath what was recorded without one, each with its own volume",
  async ([, who]) => {
    const { sheet, now } = await open(who);
    await expect.element(sheet.getByRole("radio", { name: "None" })).toBeChecked();
    await sheet.getByRole("radio", { name: "Rain" }).click({ force: true });
    expect(now().loop?.id).toBe("rain");
    await sheet.getByRole("slider", { name: "Rain, volume" }).fill("20");
    await sheet.getByRole("slider", { name: "Voice, volume" }).fill("60");
    expect(now()).toMatchObject({ ambienceVolume: 0.2, voiceVolume: 0.6 });
  },
);

test("sets the speed, and a sleep timer that says when it ends the sound", async () => {
  const { sheet, now } = await open();
  await sheet.getByRole("radio", { name: "1.2×" }).click({ force: true });
  expect(now().rate).toBe(1.2);
  await sheet.getByRole("radio", { name: "20 min" }).click({ force: true });
  expect(now().sleep).toBe(20);
  await expect
    .element(sheet.getByText("The sound fades out in 20 minutes. Your place is kept."))
    .toBeVisible();
  await sheet.getByRole("radio", { name: "At the end" }).click({ force: true });
  await expect.element(sheet.getByText("fades out slowly once the voice has ended")).toBeVisible();
  await sheet.getByRole("radio", { name: "Off" }).click({ force: true });
  expect(now().sleep).toBe("off");
});

test.for([360, 900])("fits a window of %s px, and is free of faults", async (width) => {
  await page.viewport(width, 740);
  const { sheet, screen } = await open();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  const panel = sheet.element();
  expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth);
  expect(await axeFaults()).toEqual([]);
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect.element(screen.getByRole("button", { name: "Sound, speed and sleep timer" })).toHaveFocus();
});

test("shows what is said when, and a press on a line goes there", async () => {
  const { sheet, player } = await open();
  const transcript = sheet.getByRole("region", { name: "Transcript" });
  await expect.element(transcript.getByText("The rain has just stopped.")).toBeInTheDocument();
  await expect.element(transcript.getByText("Four seconds of quiet")).toBeInTheDocument();
  expect(asked).toContain("/media/narrations/lake.vtt");
  await transcript.getByText("Hear one of them land.").click();
  expect(player.engine.position()).toBe(6_000);
  await expect
    .poll(() => transcript.element().querySelector("[aria-current]")?.textContent)
    .toBe("Hear one of them land.");
  expect(await axeFaults()).toEqual([]);
});

test("leaves the words out where it is not known when they are said", async () => {
  words = new Response(null, { status: 404 });
  const { sheet } = await open();
  await expect.poll(() => asked).toContain("/media/narrations/lake.vtt");
  expect(sheet.getByRole("region", { name: "Transcript" }).query()).toBeNull();
});

test("where the device alone sets the voice's volume there is none to choose, and the sleep timer says that it stops", async () => {
  const { sheet } = await open(member(), false);
  expect(sheet.getByRole("slider", { name: "Voice, volume" }).query()).toBeNull();
  await sheet.getByText("20 min").click();
  await expect.element(sheet.getByText("The sound stops in 20 minutes. Your place is kept.")).toBeVisible();
  await sheet.getByText("Rain", { exact: true }).click();
  await expect.element(sheet.getByRole("slider", { name: "Rain, volume" })).toBeVisible();
  await expect
    .element(
      sheet.getByText(
        "In 20 minutes the background sound fades out, and the voice stops after it. Your place is kept.",
      ),
    )
    .toBeVisible();
  expect(await axeFaults()).toEqual([]);
});
