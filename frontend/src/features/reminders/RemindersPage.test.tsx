import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { reminders as copy } from "@/copy/reminders";
import { JourneyService, SavedKind, Stage } from "@/gen/serein/web/v1/generator_pb";
import { axeFaults, show } from "@/testing/page";
import { RemindersPage } from "./RemindersPage";
import { parse } from "./testing/parse";

const open = (away = false) =>
  show(<RemindersPage />, {
    path: "/reminders",
    gateway: ({ rpc }) => {
      rpc(JourneyService.method.listBespoke, () => {
        if (away) throw new ConnectError("away", Code.Unavailable);
        return {
          meditations: [
            { id: "m1", title: "The lake after rain", stage: Stage.READY },
            { id: "m2", title: "Not yet", stage: Stage.NARRATING },
          ],
        };
      });
      rpc(JourneyService.method.listSaved, ({ kind }) => ({
        meditations: kind === SavedKind.LIBRARY ? [{ id: "l1", title: "Body scan", immersive: false }] : [],
      }));
    },
  });

/** What the page saves, as text. */
function saved(): { texts: () => Promise<string[]>; names: string[] } {
  const blobs: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return "blob:file";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return { texts: () => Promise.all(blobs.map((blob) => blob.text())), names };
}

afterEach(() => vi.restoreAllMocks());

test("nothing is chosen for anybody: without a day and a time there is no file, and the page says what is missing", async () => {
  const { names } = saved();
  const { screen } = await open();
  for (const day of Object.values(copy.dayNames))
    await expect.element(screen.getByRole("checkbox", { name: day })).not.toBeChecked();
  await screen.getByRole("button", { name: copy.make }).click();
  await expect.element(screen.getByText(copy.faults.days)).toBeVisible();
  await expect.element(screen.getByText(copy.faults.times)).toBeVisible();
  await expect.element(screen.getByRole("checkbox", { name: "Monday" })).toHaveFocus();
  expect(names).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("the file has the days, times and words that were chosen, and opens one's own meditation", async () => {
  const { names, texts } = saved();
  const { screen } = await open();
  await screen.getByRole("checkbox", { name: "Monday" }).click();
  await screen.getByRole("checkbox", { name: "Friday" }).click();
  await screen.getByLabelText("Time", { exact: true }).fill("07:30");
  await screen.getByRole("button", { name: copy.addTime }).click();
  await screen.getByLabelText("Second time", { exact: true }).fill("21:00");
  await screen.getByRole("textbox", { name: copy.name }).fill("Sit; breathe, rest");
  await screen.getByRole("combobox", { name: copy.opens }).selectOptions("The lake after rain");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: copy.make }).click();
  await expect.element(screen.getByText(copy.made)).toBeVisible();
  expect(names).toEqual([copy.file]);
  const [text = ""] = await texts();
  const events = parse(text).components;
  expect(events.map(({ properties }) => properties.get("DTSTART"))).toEqual([
    "20261127T073000",
    "20261123T210000",
  ]);
  expect(events[0]?.properties.get("RRULE")).toBe("FREQ=WEEKLY;BYDAY=MO,FR");
  expect(events[0]?.properties.get("SUMMARY")).toBe("Sit\\; breathe\\, rest");
  expect(events[0]?.properties.get("URL")).toBe(`${window.location.origin}/journey/m1`);
});

test("what cannot be heard yet is not offered, and saved meditations of the library are", async () => {
  const { screen } = await open();
  await expect.element(screen.getByRole("option", { name: "Body scan" })).toBeInTheDocument();
  expect(screen.getByRole("option", { name: "Not yet" }).query()).toBeNull();
});

test("where one's meditations cannot be listed, the rest can still be chosen", async () => {
  const { screen } = await open(true);
  await expect.element(screen.getByText(copy.away)).toBeVisible();
  await screen.getByRole("combobox", { name: copy.opens }).selectOptions(copy.timer);
  expect(await axeFaults()).toEqual([]);
});

test("says how a reminder is removed", async () => {
  const { screen } = await open();
  await expect.element(screen.getByText(copy.how.remove)).toBeVisible();
});
