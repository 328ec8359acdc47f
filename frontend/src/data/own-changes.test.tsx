import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { Suspense } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { Providers } from "@/app/Providers";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, JourneyService } from "@/gen/serein/web/v1/generator_pb";
import { useMember } from "@/lib/session";
import { meditation } from "@/testing/meditations";
import { member } from "@/testing/member";
import { createSetting } from "@/testing/page";
import DataLayout from "./DataLayout";
import { useLive } from "./live-meditations";
import { useOwn } from "./own";
import type { Pages } from "./own-changes";
import { revised } from "./own-changes";
import { foundByPages } from "./query";

/** One tab: both lists, the number in the bar, and the meditation's own address, with what can be done there. */
function Tab({ name, m }: { name: string; m: Meditation }) {
  const { mark, recover, news } = useOwn();
  const list = (deleted: boolean) => ({ pageToken: "", search: "", deleted });
  const { data: kept } = useInfiniteQuery(JourneyService.method.listBespoke, list(false), foundByPages);
  const { data: gone } = useInfiniteQuery(JourneyService.method.listBespoke, list(true), foundByPages);
  const live = useLive(m.id).meditation;
  const count = (from: typeof kept) => from?.pages.flatMap((page) => page.meditations).length;
  return (
    <section aria-label={name}>
      <p>{`${count(kept)} kept, ${count(gone)} deleted, ${useMember()?.journeyCount} in the bar`}</p>
      <p>{live ? (live.deletesAt ? "marked here" : "whole here") : "asked for"}</p>
      <p>{news ? `says: ${news.text}` : "says nothing"}</p>
      <button type="button" onClick={() => void mark(m)}>{`Delete in ${name}`}</button>
      <button type="button" onClick={() => void recover(m)}>{`Recover in ${name}`}</button>
    </section>
  );
}

/** Two tabs of a browser at one server; the second may be another member's. */
async function open(second = member({ journeyCount: 5 })) {
  let m = meditation();
  const tabs = [member({ journeyCount: 5 }), second].map((who) =>
    createSetting({
      member: who,
      gateway: ({ rpc }) => {
        rpc(JourneyService.method.listBespoke, ({ deleted }) => {
          const found = (m.deletesAt !== undefined) === deleted ? [m] : [];
          return { meditations: found, total: found.length };
        });
        rpc(JourneyService.method.getJourney, () => ({}));
        rpc(GeneratorService.method.watchMeditation, async function* () {
          yield { meditation: m };
        });
        rpc(JourneyService.method.markBespokeDeleted, () => {
          m = { ...m, deletesAt: timestampFromMs(Date.now() + 1000) };
          return { meditation: m };
        });
        rpc(JourneyService.method.recoverBespoke, () => {
          const { deletesAt: _, ...whole } = m;
          m = whole;
          return { meditation: m };
        });
      },
    }),
  );
  const screen = await render(
    <main>
      {tabs.map(({ app, session }, i) => (
        <Providers app={app} session={session} key={i}>
          <Suspense>
            <DataLayout>
              <Tab name={i === 0 ? "one" : "two"} m={m} />
            </DataLayout>
          </Suspense>
        </Providers>
      ))}
    </main>,
  );
  return { screen, tab: (name: string) => screen.getByRole("region", { name }) };
}

test("what is done in one tab shows in the others at once, wherever it stands", async () => {
  const { screen, tab } = await open();
  for (const name of ["one", "two"]) {
    await expect.element(tab(name).getByText("1 kept, 0 deleted, 5 in the bar")).toBeVisible();
    await expect.element(tab(name).getByText("whole here")).toBeVisible();
  }
  await screen.getByRole("button", { name: "Delete in one" }).click();
  for (const name of ["one", "two"]) {
    await expect.element(tab(name).getByText("0 kept, 1 deleted, 4 in the bar")).toBeVisible();
    await expect.element(tab(name).getByText("marked here")).toBeVisible();
  }
  await expect.element(tab("one").getByText(/^says: .* is in Recently Deleted/)).toBeVisible();
  await screen.getByRole("button", { name: "Recover in two" }).click();
  for (const name of ["one", "two"]) {
    await expect.element(tab(name).getByText("1 kept, 0 deleted, 5 in the bar")).toBeVisible();
    await expect.element(tab(name).getByText("whole here")).toBeVisible();
  }
  await expect.element(tab("one").getByText("says nothing")).toBeVisible();
  await expect.element(tab("two").getByText(/^says: .* is back among/)).toBeVisible();
});

test("a tab of another member hears nothing of it", async () => {
  const { screen, tab } = await open(member({ uid: "somebody-else", journeyCount: 5 }));
  await expect.element(tab("two").getByText("1 kept, 0 deleted, 5 in the bar")).toBeVisible();
  await screen.getByRole("button", { name: "Delete in one" }).click();
  await expect.element(tab("one").getByText("0 kept, 1 deleted, 4 in the bar")).toBeVisible();
  // What comes after it on the same channel has been heard: so was this.
  await new Promise<void>((heard) => {
    const channel = new BroadcastChannel("serein-own");
    channel.addEventListener("message", () => (channel.close(), heard()));
    const other = new BroadcastChannel("serein-own");
    other.postMessage({ from: "here", uid: "nobody" });
    other.close();
  });
  await expect.element(tab("two").getByText("1 kept, 0 deleted, 5 in the bar")).toBeVisible();
});

test("of a long list only the one page that has it changes", () => {
  const page = (...ids: string[]) => ({
    meditations: ids.map((id) => meditation({ id })),
    total: 4,
    nextPageToken: "",
    $typeName: "serein.web.v1.ListBespokeResponse" as const,
  });
  const list: Pages = { pages: [page("a", "b"), page("c", "d")], pageParams: ["", "2"] };
  const ids = (of: Pages | null) => of?.pages.map(({ meditations }) => meditations.map(({ id }) => id));
  const without = revised(list, meditation({ id: "c" }), false);
  expect(ids(without)).toEqual([["a", "b"], ["d"]]);
  expect(without?.pages.map(({ total }) => total)).toEqual([3, 3]);
  const renamed = revised(list, meditation({ id: "b", title: "Other" }), true);
  expect(renamed?.pages[0]?.meditations[1]?.title).toBe("Other");
  expect(revised(list, meditation({ id: "x" }), false)).toBe(list);
  expect(revised(list, meditation({ id: "x" }), true)).toBeNull();
});
