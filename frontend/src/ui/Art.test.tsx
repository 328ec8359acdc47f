import { hydrateRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { show } from "@/testing/page";
import { Art } from "./Art";

const print = <Art scene="Better Sleep" seed="1" plate />;

test("a print is there with the page that shows it", async () => {
  const { screen } = await show(print);
  expect(screen.container.querySelectorAll("svg")).toHaveLength(1);
});

/** A print whose markup is taken over, so far down the page. */
function takeOver(markup: string, marginTop: string) {
  const at = document.createElement("div");
  at.innerHTML = markup;
  at.style.marginTop = marginTop;
  at.querySelector("svg")?.remove();
  document.body.append(at);
  const faults: unknown[] = [];
  const root = hydrateRoot(at, print, { onRecoverableError: (fault) => faults.push(fault) });
  const end = () => {
    root.unmount();
    at.remove();
    vi.restoreAllMocks();
  };
  return { at, faults, end };
}

test("where markup is taken over, a print further down waits until nothing else is to do, and not for ever", async () => {
  const { screen } = await show(print);
  let idle = () => {};
  const asked = vi.spyOn(window, "requestIdleCallback").mockImplementation((run) => {
    idle = () => run({ didTimeout: true, timeRemaining: () => 0 });
    return 1;
  });
  const { at, faults, end } = takeOver(screen.container.innerHTML, "300vh");
  await expect.poll(() => asked.mock.calls).toHaveLength(1);
  expect(asked.mock.calls[0]?.[1]).toHaveProperty("timeout", 200);
  expect(at.querySelector("svg")).toBeNull();
  idle();
  await expect.poll(() => at.querySelector("svg")).not.toBeNull();
  expect(faults).toEqual([]);
  end();
});

test("prints further down are drawn one after another, each when nothing else is to do", async () => {
  const idle: (() => void)[] = [];
  vi.spyOn(window, "requestIdleCallback").mockImplementation((run) =>
    idle.push(() => run({ didTimeout: true, timeRemaining: () => 0 })),
  );
  const { screen } = await show(
    <div style={{ paddingTop: "300vh" }}>
      {print}
      {print}
    </div>,
  );
  const prints = () => screen.container.querySelectorAll("svg").length;
  expect(prints()).toBe(0);
  for (const drawn of [1, 2]) {
    idle.shift()?.();
    await expect.poll(prints).toBe(drawn);
    expect(idle).toHaveLength(2 - drawn);
  }
  vi.restoreAllMocks();
});

test("a print that is seen comes on a page that is never idle", async () => {
  const { screen } = await show(print);
  const markup = screen.container.innerHTML;
  await screen.unmount();
  const asked = vi.spyOn(window, "requestIdleCallback").mockReturnValue(1);
  const { at, end } = takeOver(markup, "0");
  await expect.poll(() => at.querySelector("svg")).not.toBeNull();
  expect(asked).not.toHaveBeenCalled();
  end();
});
