import { hydrateRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { show } from "@/testing/page";
import { Art } from "./Art";

const print = <Art scene="Better Sleep" seed="1" plate />;

test("a print is there with the page that shows it", async () => {
  const { screen } = await show(print);
  expect(screen.container.querySelectorAll("svg")).toHaveLength(1);
});

test("where markup is taken over, a print waits until nothing else is to do", async () => {
  const { screen } = await show(print);
  const at = document.createElement("div");
  at.innerHTML = screen.container.innerHTML;
  at.querySelector("svg")?.remove();
  document.body.append(at);
  let idle = () => {};
  vi.spyOn(window, "requestIdleCallback").mockImplementation((run) => {
    idle = () => run({ didTimeout: false, timeRemaining: () => 50 });
    return 1;
  });
  const faults: unknown[] = [];
  const root = hydrateRoot(at, print, { onRecoverableError: (fault) => faults.push(fault) });
  await expect.poll(() => window.requestIdleCallback).toHaveBeenCalledTimes(1);
  expect(at.querySelector("svg")).toBeNull();
  idle();
  await expect.poll(() => at.querySelector("svg")).not.toBeNull();
  expect(faults).toEqual([]);
  root.unmount();
  at.remove();
  vi.restoreAllMocks();
});
