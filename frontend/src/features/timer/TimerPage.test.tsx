import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { timer as copy } from "@/copy/timer";
import { axeFaults, show } from "@/testing/page";
import { keptSitting, keptSettings } from "./kept";
import { TimerPage } from "./TimerPage";
import { createSitting } from "./use-sitting";

/** A page whose sounds are silent: what the browser plays is the engine's business, which has its own test. */
async function open(path = "/timer", member?: null) {
  vi.spyOn(HTMLAudioElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    this.dispatchEvent(new Event("playing"));
    return Promise.resolve();
  });
  const made = await show(<TimerPage />, { path, ...(member === null && { member }) });
  return { ...made, sitting: made.data.part(createSitting) };
}

type Screen = Awaited<ReturnType<typeof open>>["screen"];
const button = (screen: Screen, name: string) => screen.getByRole("button", { name, exact: true });

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

test("everybody may set a timer, and the tab keeps what was set", async () => {
  const { screen } = await open("/timer", null);
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent(copy.title);
  await screen.getByRole("radio", { name: "45 min" }).click();
  await expect.element(screen.getByRole("spinbutton", { name: "Minutes" })).toHaveValue(45);
  await screen.getByRole("combobox", { name: "In between" }).selectOptions("Every 15 minutes");
  await screen.getByRole("combobox", { name: "Bell in between" }).selectOptions("Small cymbals");
  expect(keptSettings().timer).toMatchObject({ minutes: 45, everyMinutes: 15, interval: "cymbals" });
  expect(screen.getByRole("link", { name: copy.reminders }).query(), "reminders are for members").toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("a length may be typed; what is not allowed counts as the nearest that is", async () => {
  const { screen } = await open();
  const minutes = screen.getByRole("spinbutton", { name: "Minutes" });
  await minutes.fill("400");
  expect(keptSettings().timer.minutes).toBe(120);
  await userEvent.tab();
  await expect.element(minutes).toHaveValue(120);
  await minutes.fill("");
  await userEvent.tab();
  await expect.element(minutes).toHaveValue(120);
});

test("by keyboard: begun, paused, gone on, and ended, with the focus where one pressed", async () => {
  const { screen, sitting } = await open();
  (button(screen, copy.begin).element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button(screen, copy.pause)).toHaveFocus();
  await expect.element(screen.getByRole("timer", { name: copy.leftName })).toHaveTextContent(copy.settling);
  expect(keptSitting()).toMatchObject({ running: true, of: { kind: "timer" } });
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard(" ");
  await expect.element(button(screen, copy.resume)).toHaveFocus();
  expect(sitting.snapshot().state).toBe("paused");
  expect(keptSitting()).toMatchObject({ running: false });
  await userEvent.keyboard(" ");
  await expect.element(button(screen, copy.pause)).toBeVisible();
  await button(screen, copy.stop).click();
  await expect.element(button(screen, copy.begin)).toBeVisible();
  expect(keptSitting()).toBeNull();
});

test("a sitting that was under way before a reload is there again, and one that is over ends with a kind word", async () => {
  const of = { kind: "timer", settings: { minutes: 20, prepareS: 0 } };
  const ago = (minutes: number) =>
    JSON.stringify({ of, positionMs: 0, atMs: Date.now() - minutes * 60_000, running: true });
  sessionStorage.setItem("serein-sitting", ago(12));
  const { screen } = await open();
  await expect.element(screen.getByText("About 8 minutes left").first()).toBeVisible();
  await screen.unmount();
  sessionStorage.setItem("serein-sitting", ago(25));
  const later = await open();
  await expect.element(later.screen.getByRole("heading", { name: copy.ended.timer.title })).toBeVisible();
  await expect.element(later.screen.getByText(copy.ended.timer.text)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await button(later.screen, copy.ended.done).click();
  expect(later.screen.getByText(copy.ended.timer.text).query()).toBeNull();
});

test("where the browser plays nothing, the time goes on and the page says so", async () => {
  const { screen } = await open();
  vi.spyOn(HTMLAudioElement.prototype, "play").mockRejectedValue(new DOMException("no", "NotAllowedError"));
  await button(screen, copy.begin).click();
  await expect.element(screen.getByText(copy.silent.text)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("patterns that hold the breath come with words for those who should not, and the way without is one press", async () => {
  const { screen } = await open("/timer?tab=breath");
  expect(screen.getByText(copy.care.text).query()).toBeNull();
  await screen.getByRole("radio", { name: "4-7-8" }).click();
  await expect.element(screen.getByText(copy.care.text)).toBeVisible();
  await expect
    .element(screen.getByRole("group", { name: "Hold", exact: true }))
    .toHaveTextContent("7 seconds");
  expect(await axeFaults()).toEqual([]);
  await button(screen, copy.care.without).click();
  await expect.element(screen.getByRole("radio", { name: copy.patterns.coherent })).toBeChecked();
  expect(keptSettings().breath.seconds).toEqual({ in: 5.5, hold: 0, out: 5.5, rest: 0 });
  expect(screen.getByText(copy.care.text).query()).toBeNull();
});

test("seconds go by halves within their limits", async () => {
  const { screen } = await open("/timer?tab=breath");
  const longer = button(screen, copy.more(copy.parts.in));
  for (let i = 0; i < 9; i++) await longer.click();
  expect(keptSettings().breath.seconds.in).toBe(10);
  await expect.element(longer).toHaveAttribute("aria-disabled", "true");
  await button(screen, copy.fewer(copy.parts.out)).click();
  expect(keptSettings().breath.seconds.out).toBe(5);
});

test("a breath pacer shows the part, says it on request, and holds still for those who asked for that", async () => {
  const { screen } = await open("/timer?tab=breath");
  await button(screen, copy.begin).click();
  const circle = document.querySelector<HTMLElement>("[data-part] > div");
  await expect.poll(() => circle?.style.getPropertyValue("--full")).toBe("0.000");
  expect(circle && getComputedStyle(circle).transform, "the test's browser asks for less motion").toBe(
    "none",
  );
  await expect.element(screen.getByText(copy.ease)).toBeVisible();
  await expect.element(screen.getByRole("switch", { name: copy.sayParts })).not.toBeChecked();
  expect(await axeFaults()).toEqual([]);
});

test("the player and the timer are not heard together", async () => {
  const { screen, player, sitting } = await open();
  await button(screen, copy.begin).click();
  expect(sitting.snapshot().state).toBe("running");
  player.engine.load({
    id: "m1",
    title: "Rain",
    artist: "",
    passages: [],
    url: "/a",
    durationMs: 60_000,
    complete: true,
  });
  player.engine.play();
  await expect.element(button(screen, copy.resume)).toBeVisible();
  await button(screen, copy.resume).click();
  expect(player.engine.snapshot().wanted).toBe(false);
});

test("it ends when another member comes, or none", async () => {
  const { screen, session, sitting } = await open();
  await button(screen, copy.begin).click();
  session.becomeVisitor();
  expect(sitting.snapshot().state).toBe("none");
});
