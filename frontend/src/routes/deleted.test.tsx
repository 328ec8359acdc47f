import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, JourneyService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { RouteParams } from "@/lib/router";
import { useStore } from "@/lib/store";
import { failure } from "@/testing/failure";
import { generatorPage, meditation, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import GeneratorPage from "./generator";
import ListenPage from "./listen";

/** A meditation's two addresses: where it is heard, and where it was made. */
const ADDRESSES = ["/journey/m1", "/bespoke-meditation-generator/m1"];

const Told = () => useStore(toaster.list).map(({ id, text }) => <p key={id}>{text}</p>);

async function open(path: string, m: Meditation, late = false) {
  return show(
    <main>
      <RouteParams value={{ id: "m1" }}>
        {path.startsWith("/journey") ? <ListenPage /> : <GeneratorPage />}
      </RouteParams>
      <Told />
    </main>,
    {
      path,
      gateway: ({ rpc }) => {
        rpc(GeneratorService.method.getGenerator, generatorPage);
        rpc(GeneratorService.method.watchMeditation, async function* () {
          yield { meditation: m, newSegments: m.stage === Stage.READY ? segments(6) : [] };
        });
        rpc(JourneyService.method.recoverBespoke, () => {
          if (late) throw failure(Code.FailedPrecondition, "It is gone.", "MEDITATION_DELETED", "");
          const { deletesAt: _, ...whole } = m;
          return { meditation: whole };
        });
      },
    },
  );
}

const inHours = (hours: number) => timestampFromMs(Date.now() + hours * 3_600_000);

test.each(ADDRESSES)("what is gone says so, and leads back to My Journey: %s", async (path) => {
  const { screen } = await open(path, meditation({ stage: Stage.DELETED, deletesAt: inHours(-1) }));
  await expect
    .element(screen.getByRole("heading", { level: 1, name: "“After the long meeting” was deleted" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "Back to My Journey" }))
    .toHaveAttribute("href", "/journey");
  expect(screen.getByRole("button", { name: "Generate" }).query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test.each(ADDRESSES)(
  "what is marked says until when it can be heard, and is brought back: %s",
  async (path) => {
    const { screen, player } = await open(path, meditation({ deletesAt: inHours(50) }));
    await expect
      .element(
        screen.getByText(
          /^In Recently Deleted. You can listen to it, and bring it back, until 25 November at 15:00/,
        ),
      )
      .toBeVisible();
    await expect.poll(() => player.id).toBe("m1");
    expect(await axeFaults()).toEqual([]);
    await screen.getByRole("button", { name: "Recover After the long meeting" }).click();
    await expect.element(screen.getByText(/is back among your Bespoke Meditations/)).toBeInTheDocument();
    await expect.element(screen.getByText(/bring it back, until/)).not.toBeInTheDocument();
    await expect
      .element(screen.getByRole("heading", { level: 1 }))
      .toHaveTextContent("After the long meeting");
  },
);

test("a recovery that is too late says so there", async () => {
  const { screen } = await open("/journey/m1", meditation({ deletesAt: inHours(50) }), true);
  await screen.getByRole("button", { name: "Recover After the long meeting" }).click();
  await expect.element(screen.getByText(/^It’s too late to change “After the long meeting”/)).toBeVisible();
});

test("its page turns when its time is over, by the server's clock", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { screen } = await open("/journey/m1", meditation({ deletesAt: inHours(0.001) }));
    await expect.element(screen.getByText(/bring it back, until/)).toBeVisible();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 10_000);
    await vi.advanceTimersByTimeAsync(2000);
    await expect.element(screen.getByRole("heading", { name: /was deleted$/ })).toBeVisible();
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});
