import { create } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { kept as copy } from "@/copy/kept";
import { createKept } from "@/data/kept/kept";
import { KeptStore } from "@/data/kept/store";
import { AmbientTrackSchema, GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { emptyStore, serveFiles, soundOf } from "@/testing/kept";
import { meditation } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { KeepButton } from "./KeepButton";

const TITLE = "After the long meeting";
const AUDIO = "/media/meditations/m1/audio";
const RAIN = "/media/tracks/rain.mp3";
const words = copy.dialog;
const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });

/** The worker that the build makes stands in for the gateway's. */
function withWorker() {
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(navigator.serviceWorker, "register").mockResolvedValue({
    active: {},
  } as ServiceWorkerRegistration);
}

async function open(files: Parameters<typeof serveFiles>[0]) {
  await emptyStore();
  withWorker();
  const asked = serveFiles(files);
  const track = create(AmbientTrackSchema, { id: "rain", name: "Rain", url: RAIN, loopLengthMs: 60_000 });
  const m = meditation({ id: "m1", title: TITLE, stage: Stage.READY, audioUrl: AUDIO, track });
  const shown = await show(
    <main>
      <KeepButton offer={{ own: m }} title={TITLE} />
    </main>,
    {
      gateway: ({ rpc }) => {
        rpc(GeneratorService.method.getMeditation, () => ({ meditation: m, segments: [] }));
      },
    },
  );
  await button(`Keep “${TITLE}” on this device`).click();
  return { ...shown, asked };
}

test("what it takes is said before it is kept and after, and it can be removed there", async () => {
  const { data } = await open({ [AUDIO]: soundOf(2_400_000), [RAIN]: soundOf(100_000) });
  await expect.element(dialog()).toHaveTextContent("It takes 2.5 MB");
  await expect.element(dialog()).toHaveTextContent(words.own);
  expect(await axeFaults()).toEqual([]);
  await button("Keep").click();
  await expect.element(dialog()).toHaveTextContent("Kept: 2.5 MB on this device.");
  await expect.element(dialog()).toHaveAccessibleName(`“${TITLE}” is kept on this device`);
  expect(await axeFaults()).toEqual([]);
  const store = new KeptStore();
  expect((await store.items()).map(({ id, urls }) => [id, urls])).toEqual([["m1", [AUDIO, RAIN]]]);
  await button(words.remove).click();
  await expect.poll(() => data.part(createKept).now.get()?.items).toEqual([]);
  store.close();
});

test("a line that breaks is said, nothing is kept, and it can be tried again", async () => {
  const files: Record<string, ArrayBuffer | number> = { [AUDIO]: 503, [RAIN]: soundOf(10) };
  await open(files);
  await expect.element(page.getByRole("alert")).toHaveTextContent(copy.trouble.line);
  files[AUDIO] = soundOf(5_000);
  await button("Try again").click();
  await expect.element(dialog()).toHaveTextContent("It takes 5 KB");
});

test("a device that is too full says so, and keeping is not offered", async () => {
  vi.spyOn(navigator.storage, "estimate").mockResolvedValue({ quota: 1_000, usage: 900 });
  const { asked } = await open({ [AUDIO]: soundOf(5_000), [RAIN]: soundOf(10) });
  await expect.element(page.getByRole("alert")).toHaveTextContent(copy.trouble.full);
  await expect.element(button("Keep")).toHaveAttribute("aria-disabled", "true");
  expect(asked.filter((one) => one.startsWith("GET"))).toEqual([]);
});

test("a browser that lets no site keep anything says so", async () => {
  await open({ [AUDIO]: soundOf(5_000), [RAIN]: soundOf(10) });
  vi.spyOn(navigator.serviceWorker, "register").mockRejectedValue(new DOMException("no", "SecurityError"));
  await button("Keep").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(copy.trouble.unable);
});
