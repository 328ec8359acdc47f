import { afterEach, expect, test, vi } from "vitest";
import { axeFaults, show } from "@/testing/page";
import { LATE_MS, PageLoader } from "./PageLoader";

afterEach(() => vi.useRealTimers());

test("a page that does not come says so and offers a way out, without moving", async () => {
  vi.useFakeTimers();
  const { screen } = await show(
    <main>
      <h1>Serein</h1>
      <PageLoader label="Opening the generator" />
    </main>,
  );
  const before = screen.getByText("Opening the generator").element().getBoundingClientRect().top;
  expect(screen.getByRole("button").query()).toBeNull();
  await vi.advanceTimersByTimeAsync(LATE_MS);
  vi.useRealTimers();
  await expect.element(screen.getByText(/longer than it should/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Load the page again" })).toBeVisible();
  expect(screen.getByText("Opening the generator").element().getBoundingClientRect().top).toBe(before);
  expect(await axeFaults()).toEqual([]);
});
