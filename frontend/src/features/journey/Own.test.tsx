import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { JourneyService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { failure } from "@/testing/failure";
import { meditation } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { Bespoke } from "./Bespoke";
import Deleted from "./Deleted";
import { KEPT_MS } from "./model";

const MEETING = "After the long meeting";
const HOURS = "Not counting the hours";

/** What was told, and the number beside My Journey, where the app would show them. */
function Around() {
  const told = useStore(toaster.list).map(({ id, text }) => <p key={id}>{text}</p>);
  return (
    <>
      {told}
      <p>{useMember()?.journeyCount} in the bar</p>
    </>
  );
}

/** Generation's answers, from memory. */
function generation(kept: Map<string, Meditation>) {
  const find = (id: string): Meditation => {
    const found = kept.get(id);
    if (!found) throw failure(Code.NotFound, "We can’t find that meditation.", "MEDITATION_NOT_FOUND", "");
    return found;
  };
  const put = (m: Meditation) => {
    kept.set(m.id, m);
    return { meditation: m };
  };
  return {
    mark: (id: string) => {
      const m = find(id);
      if (m.deletesAt) throw failure(Code.FailedPrecondition, "It is there.", "MEDITATION_MARKED", "");
      return put({ ...m, deletesAt: timestampFromMs(Date.now() + KEPT_MS) });
    },
    recover: (id: string) => {
      const { deletesAt, ...m } = find(id);
      if (!deletesAt) throw failure(Code.FailedPrecondition, "It is not.", "MEDITATION_NOT_MARKED", "");
      if (m.stage === Stage.DELETED)
        throw failure(Code.FailedPrecondition, "It is gone.", "MEDITATION_DELETED", "");
      return put(m);
    },
    rename: (id: string, title: string) => put({ ...find(id), title }),
    purge: (id: string) =>
      put({ ...find(id), stage: Stage.DELETED, deletesAt: timestampFromMs(Date.now() - 1000) }),
  };
}

async function open(more: readonly Meditation[] = [], search = "") {
  const made = [
    meditation(),
    meditation({ id: "m2", title: HOURS }),
    meditation({ id: "m3", title: "A lost one", stage: Stage.REFUNDED }),
    meditation({ id: "m4", title: "Under way", stage: Stage.FAILED }),
    ...more,
  ];
  const kept = new Map(made.map((m) => [m.id, m]));
  const server = generation(kept);
  const asked: string[] = [];
  const setting = await show(
    <main>
      <h1>My Journey</h1>
      <div style={{ height: 2000 }}>
        <Bespoke search={search} onClear={() => {}} />
      </div>
      <Deleted search={search} onClear={() => {}} />
      <Around />
    </main>,
    {
      member: member({ journeyCount: 20 }),
      gateway: ({ rpc }) => {
        rpc(JourneyService.method.listBespoke, ({ deleted, search: words }) => {
          asked.push(`${deleted}`);
          const all = [...kept.values()].filter((m) => (m.deletesAt !== undefined) === deleted);
          const found = all.filter(({ title }) => title.includes(words));
          return { meditations: found, total: found.length };
        });
        rpc(JourneyService.method.getJourney, () => ({}));
        rpc(SharingService.method.getShare, () => ({}));
        rpc(JourneyService.method.markBespokeDeleted, ({ id }) => server.mark(id));
        rpc(JourneyService.method.recoverBespoke, ({ id }) => server.recover(id));
        rpc(JourneyService.method.renameBespoke, ({ id, title }) => {
          if (title === "damn") throw failure(Code.InvalidArgument, "Plain words.", "TITLE_PROFANE", "title");
          if (title === "heavy")
            throw failure(Code.FailedPrecondition, "Call 116 123.", "TITLE_NEEDS_CARE", "title");
          return server.rename(id, title);
        });
      },
    },
  );
  const { screen } = setting;
  const choose = async (title: string, action: "Rename" | "Share" | "Download" | "Delete") => {
    await screen.getByRole("button", { name: `More for ${title}` }).click();
    await screen.getByRole("menuitem", { name: action }).click();
  };
  return { ...setting, server, asked, choose };
}

const inDays = (days: number) => timestampFromMs(Date.now() + days * 86_400_000);
const bar = (n: number) => `${n} in the bar`;
const isDeleted = `“${MEETING}” is in Recently Deleted for two weeks.`;

test("what is deleted goes at once to Recently Deleted, and Undo brings it back", async () => {
  const { screen, choose, asked } = await open();
  await choose(MEETING, "Delete");
  await expect.element(screen.getByText("Item removed from your Dashboard")).toBeInTheDocument();
  await expect.element(screen.getByText(isDeleted)).toBeInTheDocument();
  await expect.element(screen.getByRole("button", { name: `More for ${MEETING}` })).not.toBeInTheDocument();
  await expect.element(screen.getByRole("button", { name: `Recover ${MEETING}` })).toBeInTheDocument();
  await expect.element(screen.getByText(bar(19))).toBeInTheDocument();
  expect(asked).toEqual(["false", "true", "true"]);
  // The button that was pressed has gone with its card.
  const undo = screen.getByRole("button", { name: "Undo" });
  await expect.element(undo).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await undo.click();
  await expect.element(screen.getByRole("button", { name: `More for ${MEETING}` })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: `Recover ${MEETING}` })).not.toBeInTheDocument();
  await expect.element(screen.getByText(bar(20))).toBeInTheDocument();
  await screen.getByRole("button", { name: "Dismiss" }).click();
  expect(screen.getByText(/is back among/).query()).toBeNull();
});

test("what is refunded can be deleted and is not counted; what has failed leaves by itself", async () => {
  const { screen, choose } = await open();
  await choose("A lost one", "Delete");
  await expect.element(screen.getByRole("button", { name: "Recover A lost one" })).toBeInTheDocument();
  await expect.element(screen.getByText(bar(20))).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "More for Under way" }).query()).toBeNull();
});

test("a finished one is shared from its card, and what was refunded has no sound to share", async () => {
  const { screen, choose } = await open();
  await choose(MEETING, "Share");
  await expect.element(screen.getByRole("button", { name: "Make a link" })).toBeInTheDocument();
  await screen.getByRole("button", { name: "Close" }).click();
  await screen.getByRole("button", { name: "More for A lost one" }).click();
  await expect.element(screen.getByRole("menuitem", { name: "Delete" })).toBeVisible();
  expect(screen.getByRole("menuitem", { name: "Share" }).query()).toBeNull();
});

test("a finished one is downloaded from its card, and what was refunded has no sound to keep", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.getAttribute("href")} ${this.hasAttribute("download")}`);
  });
  const { screen, choose } = await open();
  await choose(HOURS, "Download");
  expect(saved).toEqual(["/media/meditations/m2/download true"]);
  await screen.getByRole("button", { name: "More for A lost one" }).click();
  await expect.element(screen.getByRole("menuitem", { name: "Delete" })).toBeVisible();
  expect(screen.getByRole("menuitem", { name: "Download" }).query()).toBeNull();
});

test("two cards that are deleted one right after the other both go", async () => {
  const { screen, choose } = await open();
  await choose(MEETING, "Delete");
  await choose(HOURS, "Delete");
  for (const title of [MEETING, HOURS])
    await expect.element(screen.getByRole("button", { name: `Recover ${title}` })).toBeInTheDocument();
  await expect.element(screen.getByText(bar(18))).toBeInTheDocument();
});

test("what another tab or device has done before is said kindly, and shown", async () => {
  const { screen, choose, server } = await open();
  await expect.element(screen.getByRole("button", { name: `More for ${MEETING}` })).toBeVisible();
  server.mark("m1");
  await choose(MEETING, "Delete");
  await expect
    .element(
      screen.getByText(`“${MEETING}” is in Recently Deleted already. You can bring it back from there.`),
    )
    .toBeInTheDocument();
  const recover = screen.getByRole("button", { name: `Recover ${MEETING}` });
  await expect.element(recover).toBeInTheDocument();
  server.recover("m1");
  await recover.click();
  await expect.element(screen.getByText(/isn’t deleted any more/)).toBeInTheDocument();
  await expect.element(screen.getByRole("button", { name: `More for ${MEETING}` })).toBeInTheDocument();
  await expect.element(screen.getByText(bar(20))).toBeInTheDocument();
});

test("how long it can be brought back stands on its print, and then that it is gone", async () => {
  const { screen: page } = await open([
    meditation({ id: "d1", title: "Waiting for results", deletesAt: inDays(9.2) }),
    meditation({ id: "d2", title: "The old house", deletesAt: inDays(0.02) }),
    meditation({ id: "d3", title: "A quick try", deletesAt: inDays(-1), stage: Stage.DELETED }),
    meditation({ id: "d4", title: "Just over", deletesAt: inDays(-0.001) }),
  ]);
  await expect.element(page.getByText("9 days", { exact: true })).toBeInTheDocument();
  await expect.element(page.getByText("4 hours left")).toBeInTheDocument();
  await expect
    .element(page.getByRole("timer", { name: /^9 days 4 hours 4\d minutes left$/ }))
    .toBeInTheDocument();
  await expect.element(page.getByText("minutes left", { exact: true })).toBeInTheDocument();
  await expect
    .element(page.getByRole("link", { name: "Waiting for results" }))
    .toHaveAttribute("href", "/journey/d1");
  for (const title of ["A quick try", "Just over"]) {
    expect(page.getByRole("link", { name: title }).query()).toBeNull();
    expect(page.getByRole("button", { name: `Recover ${title}` }).query()).toBeNull();
  }
  expect(page.getByText("Deleted", { exact: true }).elements()).toHaveLength(2);
  expect(await axeFaults()).toEqual([]);
});

test("a recovery that is too late says so", async () => {
  const { screen, server } = await open([
    meditation({ id: "d1", title: "The old house", deletesAt: inDays(0.01) }),
  ]);
  const recover = screen.getByRole("button", { name: "Recover The old house" });
  await expect.element(recover).toBeInTheDocument();
  server.purge("d1");
  await recover.click();
  await expect.element(screen.getByText(/^It’s too late to change “The old house”/)).toBeInTheDocument();
  await expect.element(recover).not.toBeInTheDocument();
});

test("a new title is asked for by the generator's rules, and stands wherever the old one stood", async () => {
  const { screen, choose } = await open();
  await choose(MEETING, "Rename");
  const title = screen.getByRole("textbox", { name: "Title" });
  await expect.element(title).toHaveValue(MEETING);
  await expect.element(title).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  const save = screen.getByRole("button", { name: "Save", exact: true });
  for (const [given, said] of [
    [" ", "Please give it a title."],
    ["damn", "Title must not contain profanities"],
    ["heavy", "Call 116 123."],
  ] as const) {
    await title.fill(given);
    await save.click();
    await expect.element(screen.getByText(said)).toBeVisible();
    await expect.element(title).toHaveAttribute("aria-invalid", "true");
  }
  await title.fill("  A quiet end ");
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("link", { name: "A quiet end" })).toBeVisible();
  await expect.element(screen.getByText("It’s called “A quiet end” now.")).toBeVisible();
  expect(screen.getByRole("dialog").query()).toBeNull();
  await expect.element(screen.getByRole("button", { name: "More for A quiet end" })).toBeVisible();
});

test("nothing deleted says what would stand there", async () => {
  const { screen } = await open();
  await expect.element(screen.getByText("Nothing here", { exact: true })).toBeInTheDocument();
});
