import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseTheme } from "@/lib/theme";
import { lowestContrast } from "@/testing/contrast";
import { show } from "@/testing/page";
import { Hero } from "./Hero";

/** Common laptops, a window at 200 % zoom, a telephone on its side, and the three widths of every screen. */
const WINDOWS = [
  [1440, 760],
  [1366, 650],
  [1280, 600],
  [720, 450],
  [844, 390],
  [360, 740],
  [900, 1000],
  [1440, 900],
] as const;

afterEach(async () => {
  chooseTheme("system");
  await page.viewport(900, 800);
});

/** Everything stands still where the rings are at their widest and brightest (`breathe`, 40 %). */
function holdStill() {
  for (const animation of document.getAnimations()) {
    const { delay = 0, duration } = animation.effect?.getComputedTiming() ?? {};
    animation.pause();
    animation.currentTime = delay + 0.4 * Number(duration);
  }
}

test.for(["light", "dark"] as const)(
  "what stands over the picture can be read in every window, %s",
  async (theme) => {
    chooseTheme(theme);
    const { screen } = await show(<Hero />, { member: null });
    const words = [
      { part: screen.getByRole("heading").element(), least: 3 },
      { part: screen.getByText(/^Meditations written/).element(), least: 4.5 },
      { part: screen.getByText("Listen first").element(), least: 4.5 },
    ];
    for (const [width, height] of WINDOWS) {
      await page.viewport(width, height);
      holdStill();
      for (const { part, least } of words)
        expect(
          await lowestContrast(part as HTMLElement),
          `${part.textContent} at ${width}x${height}`,
        ).toBeGreaterThan(least);
    }
  },
);
