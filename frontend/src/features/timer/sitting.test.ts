import { expect, test } from "vitest";
import { breathPlan, timerPlan } from "./plan";
import { BREATH_DEFAULTS, TIMER_DEFAULTS } from "./settings";
import { spokenAt } from "./spoken";
import { FakeBrowser } from "./testing/fakes";

const MINUTE = 60_000;
const PLAN = timerPlan({ ...TIMER_DEFAULTS, minutes: 20, prepareS: 10 });

function begun() {
  const browser = new FakeBrowser();
  const sitting = browser.open();
  sitting.begin(PLAN);
  return { browser, sitting };
}

/** Lets refused promises run their handlers. */
const settled = () => Promise.resolve().then(() => Promise.resolve());

test("the sound's place is the time, and twenty minutes later it is over to the quarter of a second", () => {
  const { browser, sitting } = begun();
  browser.pass(PLAN.beginsMs + 20 * MINUTE - 250);
  expect(sitting.snapshot().state).toBe("running");
  browser.pass(250);
  expect(sitting.snapshot().state).toBe("ended");
  expect(browser.kept, "there is nothing to take up").toBeNull();
});

test("the bell rings on after the end, and then lock screen and keys go back to the player", () => {
  const { browser } = begun();
  browser.audio.durationS = (PLAN.endsMs + 18_000) / 1000;
  browser.pass(PLAN.endsMs + 1000);
  expect(browser.audio.paused).toBe(false);
  expect(browser.others.given).toBe(0);
  browser.pass(18_000);
  expect(browser.audio.ended).toBe(true);
  expect(browser.others.given).toBe(1);
});

test("a pause keeps the place for as long as it lasts, by press and by the lock screen's button", () => {
  const { browser, sitting } = begun();
  browser.pass(3 * MINUTE);
  sitting.pause();
  browser.pass(5 * MINUTE);
  expect(sitting.position()).toBe(3 * MINUTE);
  sitting.resume();
  browser.pass(MINUTE);
  expect(sitting.position()).toBe(4 * MINUTE);
  browser.buttons.get("pause")?.();
  expect(sitting.snapshot().state).toBe("paused");
  browser.buttons.get("play")?.();
  expect(sitting.snapshot().state).toBe("running");
});

test("a call pauses it: what is not heard is not sat", () => {
  const { browser, sitting } = begun();
  browser.pass(2 * MINUTE);
  browser.audio.pause();
  expect(sitting.snapshot().state).toBe("paused");
  expect(sitting.position()).toBe(2 * MINUTE);
});

test("after a machine has slept, the sound goes to where the clock is", () => {
  const { browser, sitting } = begun();
  browser.pass(MINUTE);
  browser.sleep(7 * MINUTE);
  browser.see();
  expect(browser.audio.currentTime).toBe(8 * 60);
  browser.pass(1000);
  expect(sitting.position()).toBe(8 * MINUTE + 1000);
  browser.sleep(60 * MINUTE);
  browser.see();
  expect(sitting.snapshot().state).toBe("ended");
});

test("a clock that is set back changes nothing", () => {
  const { browser, sitting } = begun();
  browser.pass(MINUTE);
  browser.now -= 30 * MINUTE;
  browser.pass(MINUTE);
  expect(sitting.position()).toBe(2 * MINUTE);
  expect(sitting.snapshot().state).toBe("running");
});

test("a slow phone holds the time until its sound begins", () => {
  const browser = new FakeBrowser();
  browser.audio.prompt = false;
  const sitting = browser.open();
  sitting.begin(PLAN);
  browser.pass(800);
  expect(sitting.position()).toBe(0);
  browser.audio.arrive();
  browser.pass(1000);
  expect(sitting.position()).toBe(1000);
});

test("without any sound the time goes on by the clock, says so, and ends", async () => {
  const browser = new FakeBrowser();
  browser.audio.refuse = true;
  const sitting = browser.open();
  sitting.begin(PLAN);
  await settled();
  expect(sitting.snapshot().silent).toBe(true);
  browser.pass(5 * MINUTE);
  expect(sitting.position()).toBe(5 * MINUTE);
  browser.audio.refuse = false;
  sitting.resume();
  expect(sitting.snapshot().silent).toBe(false);
  expect(browser.audio.currentTime).toBe(5 * 60);
});

test("a sound that never comes is waited for three seconds", () => {
  const browser = new FakeBrowser();
  browser.audio.prompt = false;
  const sitting = browser.open();
  sitting.begin(PLAN);
  browser.pass(3_000);
  expect(sitting.snapshot().silent).toBe(true);
  browser.pass(PLAN.endsMs);
  expect(sitting.snapshot().state).toBe("ended");
});

test("a reload goes on where the clock is, with its bells", () => {
  const { browser, sitting } = begun();
  browser.pass(6 * MINUTE);
  expect(sitting.snapshot().state).toBe("running");
  browser.sleep(1500);
  const after = browser.reload();
  after.restore();
  expect(browser.audio.currentTime * 1000).toBe(6 * MINUTE + 1500);
  browser.pass(MINUTE);
  expect(after.position()).toBe(7 * MINUTE + 1500);
  expect(after.snapshot()).toMatchObject({ state: "running", silent: false });
  expect(after.snapshot().plan?.of).toEqual(PLAN.of);
});

test("a reload whose browser plays nothing goes on in silence, and a press brings the bells back where they belong", async () => {
  const { browser } = begun();
  browser.pass(6 * MINUTE);
  const after = browser.reload();
  browser.audio.refuse = true;
  after.restore();
  await settled();
  browser.pass(MINUTE);
  expect(after.snapshot()).toMatchObject({ state: "running", silent: true });
  expect(after.position()).toBe(7 * MINUTE);
  browser.audio.refuse = false;
  after.resume();
  expect(browser.audio.currentTime).toBe(7 * 60);
});

test("a paused sitting is paused after a reload as well, and one whose time is over has ended", () => {
  const { browser, sitting } = begun();
  browser.pass(6 * MINUTE);
  sitting.pause();
  browser.sleep(60 * MINUTE);
  const after = browser.reload();
  after.restore();
  expect(after.snapshot().state).toBe("paused");
  expect(after.position()).toBe(6 * MINUTE);
  after.resume();
  browser.pass(MINUTE);
  expect(after.position()).toBe(7 * MINUTE);
  browser.sleep(60 * MINUTE);
  const late = browser.reload();
  late.restore();
  expect(late.snapshot().state).toBe("ended");
  expect(browser.audio.src, "nothing rings hours later").toBe("");
});

test("it is heard alone: it quiets the player as it begins, and makes way when the player is asked for", () => {
  const { browser, sitting } = begun();
  expect(browser.others.paused).toBe(1);
  browser.pass(MINUTE);
  browser.others.change(false);
  expect(sitting.snapshot().state).toBe("running");
  browser.others.change(true);
  expect(sitting.snapshot().state).toBe("paused");
  expect(browser.audio.paused).toBe(true);
});

test("the player's own news do not take the lock screen from it", () => {
  const { browser } = begun();
  browser.pass(MINUTE);
  browser.session.playbackState = "paused";
  browser.others.change(false);
  expect(browser.session.playbackState).toBe("playing");
});

test("ended by its button it leaves nothing", () => {
  const { browser, sitting } = begun();
  browser.pass(MINUTE);
  sitting.stop();
  expect(sitting.snapshot()).toMatchObject({ state: "none", plan: null });
  expect(browser.kept).toBeNull();
  expect(browser.audio.src).toBe("");
  const after = browser.reload();
  after.restore();
  expect(after.snapshot().state).toBe("none");
});

test("a breath is where the sound is: no error adds up over half an hour", () => {
  const browser = new FakeBrowser();
  const sitting = browser.open();
  const plan = breathPlan({ ...BREATH_DEFAULTS, minutes: 30 });
  sitting.begin(plan);
  browser.pass(20 * MINUTE, 333);
  expect(Math.abs(sitting.position() - browser.audio.currentTime * 1000)).toBeLessThan(0.001);
  expect(sitting.position()).toBeCloseTo(20 * MINUTE, 3);
});

test("a screen reader says little: that it began, and what is left at ten, five and one minutes", () => {
  const said = new Map<string, number>();
  for (let ms = 0; ms < PLAN.endsMs; ms += 1000) {
    const words = spokenAt(PLAN, ms, false);
    if (words && !said.has(words)) said.set(words, ms);
  }
  expect([...said]).toEqual([
    ["The timer has begun.", 0],
    ["About 10 minutes left", 10_000 + 10 * MINUTE],
    ["About 5 minutes left", 10_000 + 15 * MINUTE],
    ["About 1 minute left", 10_000 + 19 * MINUTE],
  ]);
});

test("the parts of a breath are said on request alone", () => {
  const plan = breathPlan({ ...BREATH_DEFAULTS, minutes: 2 });
  const at = plan.beginsMs + 20_000;
  expect(spokenAt(plan, at, false)).toBe("");
  expect(spokenAt(plan, at, true)).toBe("Breathe out");
});
