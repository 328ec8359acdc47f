import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { DiaryEntry } from "@/gen/serein/web/v1/diary_pb";
import { DiaryEntrySchema, DiaryService } from "@/gen/serein/web/v1/diary_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { localDate } from "@/lib/format";
import { axeFaults, show } from "@/testing/page";
import { DiaryPage } from "./DiaryPage";

const ENTRIES = [
  create(DiaryEntrySchema, {
    id: "00000000-0000-4000-8000-000000000001",
    day: "2026-12-01",
    item: { kind: ItemKind.ARTICLE, id: "rest" },
    slug: "rest-is-not-a-reward",
    title: "Rest is not a reward",
    heardMs: 492_000n,
    finished: true,
    available: true,
  }),
  create(DiaryEntrySchema, {
    id: "00000000-0000-4000-8000-000000000002",
    day: "2026-11-30",
    line: "Sat by myself.",
    byHand: true,
  }),
];

interface Kept {
  keeping: boolean;
  entries: DiaryEntry[];
  full?: boolean;
}

/** The page over a gateway that keeps one diary. */
async function open(kept: Kept, refuse: () => ConnectError | undefined = () => undefined) {
  const asked: string[] = [];
  const removed: DiaryEntry[] = [];
  const find = (id: string) => kept.entries.find((entry) => entry.id === id);
  const hear = (what: string) => {
    const refusal = refuse();
    if (refusal) throw refusal;
    asked.push(what);
  };
  const made = await show(
    <main id="main" tabIndex={-1}>
      <DiaryPage />
    </main>,
    {
      path: "/journey/diary",
      gateway: ({ service }) => {
        service(DiaryService, {
          listEntries: ({ pageToken }) => {
            const refusal = refuse();
            if (refusal) throw refusal;
            const from = Number(pageToken);
            return {
              entries: kept.entries.slice(from, from + 50),
              nextPageToken: kept.entries.length > from + 50 ? String(from + 50) : "",
              keeping: kept.keeping,
              full: kept.full ?? false,
            };
          },
          setKeeping: ({ keeping }) => {
            hear(`keeping ${keeping}`);
            kept.keeping = keeping;
            return {};
          },
          addEntry: ({ requestId, day, line }) => {
            hear(`add ${day} ${line}`);
            const entry = create(DiaryEntrySchema, { id: requestId, day, line, byHand: true });
            kept.entries = [entry, ...kept.entries].toSorted((a, b) => b.day.localeCompare(a.day));
            return { entry };
          },
          changeEntry: ({ id, line }) => {
            hear(`line ${line}`);
            const before = find(id);
            const entry = before && { ...before, line };
            if (entry) kept.entries = kept.entries.map((one) => (one.id === id ? entry : one));
            return entry ? { entry } : {};
          },
          removeEntry: ({ id }) => {
            hear("remove");
            removed.push(...kept.entries.filter((entry) => entry.id === id));
            kept.entries = kept.entries.filter((entry) => entry.id !== id);
            return {};
          },
          restoreEntry: () => {
            hear("restore");
            kept.entries = [...kept.entries, ...removed];
            return {};
          },
          emptyDiary: () => {
            hear("empty");
            kept.entries = [];
            return {};
          },
        });
      },
    },
  );
  return { ...made, asked, kept };
}

const button = (name: string | RegExp) => page.getByRole("button", { name });

test("nothing is noted until the member says so, and one invitation says what it would be", async () => {
  const { asked } = await open({ keeping: false, entries: [] });
  await expect.element(page.getByRole("heading", { name: "A diary, if you’d like one" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await button("Keep a diary").click();
  await expect.element(page.getByRole("switch", { name: "Keep a diary" })).toBeChecked();
  await expect.element(page.getByText("Your diary is on.", { exact: false })).toBeVisible();
  expect(asked).toEqual(["keeping true"]);
});

test("what was heard stands under its month with its day, and leads back to it", async () => {
  await open({ keeping: true, entries: ENTRIES });
  await expect.element(page.getByRole("heading", { name: "December 2026" })).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "November 2026" })).toBeVisible();
  await expect.element(page.getByText("Tuesday 1 December")).toBeVisible();
  await expect.element(page.getByText("8 minutes, to its end")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Rest is not a reward" }))
    .toHaveAttribute("href", "/articles/rest-is-not-a-reward");
  expect(await axeFaults()).toEqual([]);
});

test("on a phone nothing lies beside the page", async () => {
  await page.viewport(360, 760);
  const long = ENTRIES.map((entry) => ({ ...entry, line: "a".repeat(280), title: "b".repeat(120) }));
  await open({ keeping: true, entries: long });
  await expect.element(page.getByText("Tuesday 1 December")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  await page.viewport(1280, 900);
});

test("a line is written in its place by the keyboard alone, and Escape leaves it as it was", async () => {
  const { asked } = await open({ keeping: true, entries: ENTRIES });
  const add = button("Add a line to Rest is not a reward, Tuesday 1 December");
  await add.click();
  const field = page.getByLabelText("Your line");
  await expect.element(field).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("Not this{Escape}");
  await expect.element(add).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard(" Quieter now. {Enter}");
  const change = button("Change the line of Rest is not a reward, Tuesday 1 December");
  await expect.element(change).toHaveFocus();
  await expect.element(page.getByText("Quieter now.")).toBeVisible();
  expect(asked).toEqual(["line Quieter now."]);
});

test("the line of one’s own entry cannot be taken away, nor be too long; nothing is sent then", async () => {
  const { asked } = await open({ keeping: true, entries: ENTRIES });
  await button("Change the line of your own entry, Monday 30 November").click();
  const field = page.getByLabelText("Your line");
  await field.fill("");
  await button("Save").click();
  await expect.element(page.getByText("Please write a line.")).toBeVisible();
  await field.fill("a".repeat(281));
  await button("Save").click();
  await expect.element(page.getByText("Please keep it to 280 characters.")).toBeVisible();
  expect(asked).toEqual([]);
});

test("an entry is removed, and Undo brings it back", async () => {
  const { asked } = await open({ keeping: true, entries: ENTRIES });
  await button("Remove Rest is not a reward, Tuesday 1 December").click();
  await expect.element(page.getByText("The entry is removed.")).toBeVisible();
  await expect.element(page.getByText("Tuesday 1 December")).not.toBeInTheDocument();
  await button("Undo").click();
  await expect.element(page.getByText("Tuesday 1 December")).toBeVisible();
  expect(asked).toEqual(["remove", "restore"]);
});

test("an entry is written by hand, for a day that has come, with the diary off too", async () => {
  const { asked } = await open({ keeping: false, entries: ENTRIES });
  await expect.element(page.getByText("Your diary is off, so", { exact: false })).toBeVisible();
  await button("Write an entry").click();
  const dialog = page.getByRole("dialog", { name: "Write an entry" });
  await expect.element(dialog).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await dialog.getByLabelText("Day").fill("2999-01-01");
  await dialog.getByLabelText("Your line").fill("Ten quiet minutes.");
  await button("Write it down").click();
  await expect.element(dialog.getByText("Please choose a day that has come.")).toBeVisible();
  const today = localDate(Date.now());
  await dialog.getByLabelText("Day").fill(today);
  await button("Write it down").click();
  await expect.element(page.getByText("Ten quiet minutes.")).toBeVisible();
  expect(asked).toEqual([`add ${today} Ten quiet minutes.`]);
});

test("the diary is emptied once that is confirmed", async () => {
  const { asked } = await open({ keeping: true, entries: ENTRIES });
  await button("Empty the diary").click();
  await expect.element(page.getByRole("dialog", { name: "Empty your diary?" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await button("Keep it").click();
  expect(asked).toEqual([]);
  await button("Empty the diary").click();
  await button("Empty it").click();
  await expect.element(page.getByRole("heading", { name: "Nothing written yet" })).toBeVisible();
  expect(asked).toEqual(["empty"]);
});

test("all of it is downloaded, however many pages it has", async () => {
  const many = Array.from({ length: 70 }, (_, n) =>
    create(DiaryEntrySchema, { id: String(n), day: "2026-11-30", line: `Line ${n}`, byHand: true }),
  );
  const made = vi.spyOn(URL, "createObjectURL");
  const names: string[] = [];
  const press = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  onTestFinished(() => {
    made.mockRestore();
    press.mockRestore();
  });
  await open({ keeping: true, entries: many });
  await button("Download").click();
  await expect.poll(() => names).toEqual([expect.stringMatching(/^serein-diary-\d{4}-\d\d-\d\d\.txt$/)]);
  const [file] = made.mock.calls.flat();
  const text = file instanceof Blob ? await file.text() : "";
  expect(text.match(/Line \d+/g)).toHaveLength(70);
  await button("Show more").click();
  await expect.element(page.getByText("Line 69", { exact: true })).toBeVisible();
  await expect.element(page.getByText("That’s all of it.")).toBeVisible();
});

test("a full diary says so, and what fails is said where it failed", async () => {
  let broken = false;
  await open({ keeping: true, entries: ENTRIES, full: true }, () =>
    broken ? new ConnectError("away", Code.Unavailable) : undefined,
  );
  await expect.element(page.getByText("Your diary is full", { exact: false })).toBeVisible();
  broken = true;
  await button("Remove Rest is not a reward, Tuesday 1 December").click();
  await expect.element(page.getByText("That didn’t work.", { exact: false })).toBeVisible();
  await expect.element(page.getByText("Tuesday 1 December")).toBeVisible();
});

test("a diary that could not be read can be asked for again", async () => {
  let broken = true;
  await open({ keeping: true, entries: ENTRIES }, () =>
    broken ? new ConnectError("broken", Code.Internal) : undefined,
  );
  await expect.element(page.getByRole("alert")).toBeVisible();
  broken = false;
  await button("Try again").click();
  await expect.element(page.getByText("Tuesday 1 December")).toBeVisible();
});
