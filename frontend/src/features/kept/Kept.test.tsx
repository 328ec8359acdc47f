import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { kept as copy } from "@/copy/kept";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import { failure } from "@/testing/failure";
import { keptItem, serveFiles, soundOf, storeWith } from "@/testing/kept";
import { meditation } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { Kept } from "./Kept";

const OWN = keptItem({}, 4_200_000);
const LAKE = keptItem(
  {
    id: "library/lake",
    kind: "library",
    title: "The lake after rain",
    audio: "/media/narrations/lake.mp3",
    until: 1_800_000_000_000,
  },
  1_000_000,
);
const RAIN = keptItem(
  {
    id: "track/rain",
    kind: "track",
    title: "Rain",
    audio: "/media/tracks/rain.mp3",
    loop: { id: "rain", url: "/media/tracks/rain.mp3", startMs: 0, lengthMs: 60_000 },
    words: [],
  },
  500_000,
);

type Gateway = Parameters<typeof show>[1];

/** The gateway has everything that is kept. */
const whole: Gateway = {
  gateway: ({ rpc }) => {
    rpc(GeneratorService.method.getMeditation, () => ({
      meditation: meditation({ id: OWN.id, title: OWN.title, stage: Stage.READY }),
    }));
    rpc(PlayerService.method.getPlace, () => ({ positionMs: 90_000n, turn: 3n }));
  },
};

const button = (name: string) => page.getByRole("button", { name, exact: true });

test("everything that is kept is shown with its size and its end, and plays from where it was left", async () => {
  const store = await storeWith(OWN, LAKE, RAIN);
  serveFiles({ [LAKE.audio]: soundOf(10) });
  const { player } = await show(<Kept />, whole);
  await expect.element(page.getByText("3 recordings, 5.7 MB in all.")).toBeVisible();
  await expect.element(page.getByText("Until 15 January 2027")).toBeVisible();
  await expect.element(page.getByText("4.2 MB")).toBeVisible();
  await expect.element(button(`Remove “Rain” from this device`)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await expect.poll(() => store.place(OWN.id)).toMatchObject({ positionMs: 90_000, turn: 3n });
  await button(`Play ${OWN.title}`).click();
  await expect.poll(() => player.id).toBe(OWN.id);
  await expect.poll(() => player.engine.position()).toBe(90_000);
  await expect.element(button("Let the day go.")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("one can be removed, and all of them after a question", async () => {
  const store = await storeWith(OWN, LAKE, RAIN);
  serveFiles({ [LAKE.audio]: soundOf(10) });
  await show(<Kept />, whole);
  await button(copy.remove(LAKE.title)).click();
  await expect.element(page.getByText("2 recordings, 4.7 MB in all.")).toBeVisible();
  await button(copy.removeAll).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent(copy.all.text(2, 4_700_000));
  await page.getByRole("dialog").getByRole("button", { name: copy.removeAll }).click();
  await expect.element(page.getByText(copy.empty.title)).toBeVisible();
  expect(await store.items()).toEqual([]);
});

test("what is over, and what is gone from Serein, is removed and said", async () => {
  await storeWith(OWN, { ...LAKE, until: 1_000 });
  const gone = () => {
    throw failure(Code.NotFound, "We can’t find it.", "MEDITATION_NOT_FOUND", "");
  };
  await show(<Kept />, { gateway: ({ rpc }) => rpc(GeneratorService.method.getMeditation, gone) });
  await expect.element(page.getByText("“The lake after rain” could be heard here")).toBeVisible();
  await expect.element(page.getByText("“After the long meeting” isn’t on Serein any more")).toBeVisible();
  await expect.element(page.getByText(copy.empty.title)).toBeVisible();
});

test("without the entitlement what belongs to the plan goes, and what the member made stays", async () => {
  const { plan } = member();
  const ended = member({ plan: plan && { ...plan, active: false, entitlements: [] } });
  await storeWith(OWN, LAKE);
  await show(<Kept />, { ...whole, member: ended });
  await expect.element(page.getByText("“The lake after rain” could be heard here")).toBeVisible();
  await expect.element(button(`Play ${OWN.title}`)).toBeVisible();
});

test("a visitor sees nothing of it, and nothing is lost", async () => {
  const store = await storeWith(OWN);
  await show(<Kept />, { member: null });
  await expect.element(page.getByText(copy.hidden.title)).toBeVisible();
  await expect.poll(async () => (await store.keeper()).open).toBe(false);
  expect(await store.items()).toHaveLength(1);
});

test("another member sees nothing of it, and it goes", async () => {
  const store = await storeWith(OWN);
  await show(<Kept />, { member: member({ uid: "another" }) });
  await expect.element(page.getByText(copy.empty.title)).toBeVisible();
  await expect.poll(() => store.items()).toEqual([]);
});
