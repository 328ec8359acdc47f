import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { generatorPage, sample } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { ASK_AGAIN } from "@/player/sample/useSample";
import { Listen } from "./Listen";

const page = (
  <main>
    <h1>Serein</h1>
    <Listen />
  </main>
);

const gateway = ({ rpc }: ConnectRouter) => {
  rpc(GeneratorService.method.getSample, () => sample());
  rpc(GeneratorService.method.getGenerator, () => generatorPage());
};

test("a visitor hears a minute, with rain beneath it and its words to read", async () => {
  const { screen, sample: engine } = await show(page, { member: null, gateway });
  await screen.getByRole("button", { name: "Play the minute" }).click();
  await expect.element(screen.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(() => engine.snapshot().recording?.url).toBe("/media/sample/lake.mp3");
  await expect.poll(() => engine.snapshot().loop?.id).toBe("rain");
  await screen.getByText("Read the words").click();
  await expect.element(screen.getByText("Hear one of them land.")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.unmount();
  expect(engine.snapshot().recording).toBeNull();
});

test("where the browser never says that it is near, a press that focuses nothing brings it", async () => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  const { screen } = await show(page, { member: null, gateway });
  const button = screen.getByRole("button", { name: "Play the minute" });
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  (button.element() as HTMLElement).click(); // unlike a pointer, it moves no focus
  await expect.element(button).not.toHaveAttribute("aria-busy");
  vi.unstubAllGlobals();
});

test("one that is not there yet is asked for again, and said", async () => {
  let asked = 0;
  const { screen, sample: engine } = await show(page, {
    member: null,
    gateway: (router) => {
      gateway(router);
      router.rpc(GeneratorService.method.getSample, () => {
        if (++asked === 1) throw new ConnectError("not yet", Code.Internal);
        return sample();
      });
    },
  });
  await screen.getByRole("button", { name: "Play the minute" }).click();
  await expect.element(screen.getByText("It isn’t here yet. We’re still trying.")).toBeVisible();
  await expect.poll(() => engine.snapshot().recording).not.toBeNull();
});

test("one that never comes is not asked for without end, and that is said", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let asked = 0;
  const { screen } = await show(page, {
    member: null,
    gateway: (router) => {
      gateway(router);
      router.rpc(GeneratorService.method.getSample, () => {
        asked++;
        throw new ConnectError("no", Code.Internal);
      });
    },
  });
  await screen.getByRole("button", { name: "Play the minute" }).click();
  await expect.element(screen.getByText("It isn’t here yet. We’re still trying.")).toBeVisible();
  for (let minute = 0; asked <= ASK_AGAIN.times; minute++) {
    expect(minute).toBeLessThan(300);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toBe(ASK_AGAIN.times + 1);
  vi.useRealTimers();
});
