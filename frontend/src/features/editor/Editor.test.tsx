import type { ConnectRouter } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { mockEditor } from "@/testing/mock-editor";
import { axeFaults, show } from "@/testing/page";
import Editor from "./Editor";
import Trail from "./Trail";

beforeEach(() => sessionStorage.clear());

const ENTRY = "/admin?tab=editor&type=article&id=on-rain";

const page = (
  <main>
    <h1>Admin</h1>
    <Editor />
  </main>
);

/** The editor at an address, and what stands behind it. */
async function open(path: string) {
  const made: ReturnType<typeof mockEditor>[] = [];
  const shown = await show(page, {
    path,
    gateway: (router: ConnectRouter) => void made.push(mockEditor(router)),
  });
  return { ...shown, store: made[0] as ReturnType<typeof mockEditor> };
}

test("entries of a type are listed with their state, and searched by the address", async () => {
  const { screen } = await open("/admin?tab=editor");
  await expect.element(screen.getByRole("link", { name: "On rain, and being early" })).toBeVisible();
  await expect
    .element(screen.getByRole("listitem").filter({ hasText: "A draft about stones" }))
    .toHaveTextContent("Draft");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("searchbox", { name: "Search by title" }).fill("frost");
  await expect.poll(() => window.location.search).toContain("search=frost");
  await expect.poll(() => screen.getByRole("link", { name: "On rain, and being early" }).query()).toBeNull();
  await screen.getByLabelText("What to edit").selectOptions("Pictures and sounds");
  await expect.element(screen.getByRole("link", { name: "A gate" })).toBeVisible();
});

test("every kind of field has its control, and the service's own are read-only", async () => {
  const { screen } = await open(ENTRY);
  await expect
    .element(screen.getByRole("textbox", { name: "Title" }))
    .toHaveValue("On rain, and being early");
  await expect.element(screen.getByLabelText("Category")).toHaveValue("Gratitude");
  await expect.element(screen.getByLabelText("Order")).toHaveValue("4");
  await expect.element(screen.getByRole("switch", { name: "Open" })).toBeChecked();
  await expect.element(screen.getByLabelText("Date")).toHaveValue("2026-11-20");
  await expect.element(screen.getByRole("textbox", { name: "Keywords" })).toHaveValue("rain\nlake");
  await expect
    .element(screen.getByRole("group", { name: "Picture" }))
    .toHaveTextContent("A lake in the morning");
  await expect.element(screen.getByRole("group", { name: "Related" })).toHaveTextContent("On frost");
  await expect.element(screen.getByRole("textbox", { name: "Facts" })).toHaveValue('{\n  "minutes": 4\n}');
  await expect.element(screen.getByLabelText("Narration hash")).toHaveAttribute("readonly");
  expect(await axeFaults()).toEqual([]);
});

test("what is typed is saved as it is meant, and nothing else is touched", async () => {
  const { screen, store } = await open(ENTRY);
  await screen.getByLabelText("Order").fill("7");
  await screen.getByRole("textbox", { name: "Keywords" }).fill("rain\n\n  pines ");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  const fields = store.item("on-rain")?.fields;
  expect(fields).toMatchObject({
    order: { "en-GB": 7 },
    keywords: { "en-GB": ["rain", "pines"] },
    facts: { "en-GB": { minutes: 4 } },
  });
});

test("somebody else's version loses nothing that was typed, and shows what both have changed", async () => {
  const { screen, store } = await open(ENTRY);
  await screen.getByRole("textbox", { name: "Title" }).fill("On rain, and being late");
  await screen.getByLabelText("Order").fill("9");
  store.meanwhile("on-rain", { title: "On rain, and being on time", body: "Theirs." });
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText(/Someone has saved version 4 since/)).toBeVisible();
  await expect.element(screen.getByText(/You both changed: Title\./)).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("On rain, and being late");
  await expect.element(screen.getByLabelText("Body", { exact: true })).toHaveValue("Theirs.");
  await expect.element(screen.getByText("They wrote: On rain, and being on time")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Use theirs for Title" }).click();
  await expect
    .element(screen.getByRole("textbox", { name: "Title" }))
    .toHaveValue("On rain, and being on time");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  expect(store.item("on-rain")?.fields).toMatchObject({
    title: { "en-GB": "On rain, and being on time" },
    body: { "en-GB": "Theirs." },
    order: { "en-GB": 9 },
  });
});

test("a fault stands at its field with the focus: one seen here, and one that the server names", async () => {
  const { screen } = await open(ENTRY);
  const facts = screen.getByRole("textbox", { name: "Facts" });
  await facts.fill("{");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(facts).toHaveFocus();
  await expect.element(facts).toHaveAccessibleDescription(/This isn’t valid JSON/);
  await facts.fill("{}");
  await screen.getByLabelText("Slug").fill("taken");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect
    .element(screen.getByLabelText("Slug"))
    .toHaveAccessibleDescription("Another article has this slug.");
  await expect.element(screen.getByLabelText("Slug")).toHaveFocus();
});

test("what is typed survives a reload, and can be dropped", async () => {
  const before = await open(ENTRY);
  await before.screen.getByRole("textbox", { name: "Title" }).fill("Half a thought");
  await before.screen.unmount();
  const { screen } = await open(ENTRY);
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Half a thought");
  await screen.getByRole("button", { name: "Discard my changes" }).click();
  await expect
    .element(screen.getByRole("textbox", { name: "Title" }))
    .toHaveValue("On rain, and being early");
});

test("publishing asks first, and waits for what is not saved", async () => {
  const { screen, store } = await open(ENTRY);
  const unpublish = screen.getByRole("button", { name: "Unpublish" });
  await expect.element(unpublish).toBeVisible();
  (unpublish.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("dialog", { name: "Unpublish this?" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(store.item("on-rain")?.publishedVersion).toBe(2);
  await userEvent.keyboard("{Enter}");
  await screen.getByRole("dialog").getByRole("button", { name: "Unpublish" }).click();
  await expect.poll(() => store.item("on-rain")?.publishedVersion).toBe(0);
  await screen.getByLabelText("Order").fill("1");
  await expect
    .element(screen.getByRole("button", { name: "Publish", exact: true }))
    .toHaveAttribute("aria-disabled", "true");
});

test("other words of a legal text are refused at its version, and published under a new one", async () => {
  const { screen, store } = await open("/admin?tab=editor&type=termsAndConditions&id=terms");
  const publish = async () => {
    await screen.getByRole("button", { name: "Publish", exact: true }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  };
  await publish();
  const version = screen.getByLabelText("Version", { exact: true });
  await expect.element(version).toHaveAccessibleDescription("Give it a new version.");
  await expect.element(version).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await version.fill("2026-11-22");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  await publish();
  await expect.poll(() => store.item("terms")?.publishedVersion).toBe(5);
});

test("a link is picked by its title, moved and taken out", async () => {
  const { screen, store } = await open(ENTRY);
  await screen.getByRole("button", { name: "Add to Related" }).click();
  const dialog = screen.getByRole("dialog", { name: "Choose an entry" });
  await dialog.getByRole("button", { name: "A draft about stones" }).click();
  await screen.getByRole("button", { name: "Move A draft about stones up" }).click();
  await screen.getByRole("button", { name: "Remove A lake in the morning" }).click();
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  const ids = JSON.stringify(store.item("on-rain")?.fields?.["related"]);
  expect(ids.indexOf("a-draft")).toBeLessThan(ids.indexOf("on-frost"));
});

test("a text is shown as readers will see it", async () => {
  const { screen } = await open(ENTRY);
  await screen.getByRole("button", { name: "Preview of Body" }).click();
  const preview = screen.getByRole("region", { name: "Preview of Body" });
  await expect.element(preview.getByRole("heading", { name: "Rain" })).toBeVisible();
});

test("what is no text is shown as lists of its values, as they are written", async () => {
  const { screen } = await open(ENTRY);
  await screen.getByRole("button", { name: "Preview of Keywords" }).click();
  const keywords = screen.getByRole("region", { name: "Preview of Keywords" });
  await expect.element(keywords.getByRole("listitem").nth(1)).toHaveTextContent("lake");
  await screen.getByRole("button", { name: "Preview of Facts" }).click();
  const facts = screen.getByRole("region", { name: "Preview of Facts" });
  await expect.element(facts.getByRole("term")).toHaveTextContent("minutes");
  await screen
    .getByRole("textbox", { name: "Facts" })
    .fill('{"pages": [{"title": "Home"}, {"title": "About"}]}');
  await expect.element(facts.getByText("About")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("textbox", { name: "Facts" }).fill("{");
  await expect.element(facts).toHaveTextContent("This isn’t valid JSON");
});

test("a picture is seen and a narration heard in the entry that has them", async () => {
  const { screen } = await open(ENTRY);
  await expect
    .element(screen.getByRole("img", { name: "Preview of A lake in the morning" }))
    .toHaveAttribute("src", `/media/assets/${"5e".repeat(32)}/lake.png`);
  await expect
    .element(screen.getByLabelText("Preview of Narration"))
    .toHaveAttribute("src", "/media/narrations/3f2a.mp3");
  expect(await axeFaults()).toEqual([]);
});

test("an asset shows what it is, once readers can have it", async () => {
  const { screen } = await open("/admin?tab=editor&kind=asset&id=brook");
  await expect
    .element(screen.getByLabelText("Preview of A brook"))
    .toHaveAttribute("src", `/media/assets/${"5e".repeat(32)}/brook.mp3`);
  await screen.unmount();
  const draft = await open("/admin?tab=editor&kind=asset&id=gate");
  await expect.element(draft.screen.getByText("You’ll see it here once it’s published.")).toBeVisible();
  expect(draft.screen.getByRole("img", { name: "Preview of A gate" }).query()).toBeNull();
});

test("a version is restored after a question", async () => {
  const { screen, store } = await open(ENTRY);
  await screen.getByRole("button", { name: "Restore version 1" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => store.item("on-rain")?.version).toBe(4);
});

test("a new entry is made with an id of its title, and opened", async () => {
  const { screen, store } = await open("/admin?tab=editor&type=article&new=yes");
  await screen.getByRole("textbox", { name: "Title" }).fill("On hail");
  await screen.getByRole("button", { name: "Make it" }).click();
  await expect.element(screen.getByRole("heading", { name: "On hail" })).toBeVisible();
  expect(store.all().find((item) => item.title === "On hail")?.id).toMatch(/^on-hail-[0-9a-f]{6}$/);
});

test("a picture is uploaded under a title", async () => {
  const { screen, store } = await open("/admin?tab=editor&kind=asset&new=yes");
  const upload = screen.getByRole("button", { name: "Upload" });
  await expect.element(upload).toHaveAttribute("aria-disabled", "true");
  await screen
    .getByLabelText("File")
    .upload(new File(["bytes"], "frost-on-a-gate.png", { type: "image/png" }));
  await expect.element(screen.getByLabelText("Title")).toHaveValue("Frost on a gate");
  expect(await axeFaults()).toEqual([]);
  await upload.click();
  await expect.element(screen.getByRole("heading", { name: "Frost on a gate" })).toBeVisible();
  expect(store.all().some((item) => item.title === "Frost on a gate")).toBe(true);
});

test("the trail says who did what and when, and is searched by the address", async () => {
  const { screen } = await show(
    <main>
      <h1>Admin</h1>
      <Trail />
    </main>,
    { path: "/admin?tab=trail", gateway: (router) => void mockEditor(router) },
  );
  await expect.element(screen.getByRole("table")).toHaveTextContent(/Seed files/);
  await expect.element(screen.getByRole("table")).toHaveTextContent(/Changed: article/);
  await expect.element(screen.getByRole("table")).toHaveTextContent(/title, body/);
  const copied = screen.getByRole("row").filter({ hasText: "Environment staging" });
  await expect.element(copied).toHaveTextContent("Created: environment");
  expect(copied.getByRole("link").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("searchbox", { name: "Who or what" }).fill("nobody at all");
  await expect.element(screen.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  expect(window.location.search).toContain("search=nobody+at+all");
});

const COURSE = "/admin?tab=editor&type=course&id=evenings";

/** The course's days, as they were saved last. */
const daysOf = (store: ReturnType<typeof mockEditor>): { id: string }[] => {
  const fields = store.item("evenings")?.fields as { days: { "en-GB": { id: string }[] } } | undefined;
  return fields?.days["en-GB"] ?? [];
};
const idsOf = (store: ReturnType<typeof mockEditor>): string[] => daysOf(store).map(({ id }) => id);

test("days of a course are ordered by the keyboard, and keep their ids", async () => {
  const { screen, store } = await open(COURSE);
  const down = screen.getByRole("button", { name: "Move Rain on the roof down" });
  await expect.element(screen.getByText("1. Rain on the roof")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  (down.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("Rain on the roof is number 2 of 3 now.")).toBeInTheDocument();
  await expect.element(down).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("3. Rain on the roof")).toBeVisible();
  await expect.element(down).toHaveAttribute("aria-disabled", "true");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  expect(idsOf(store)).toEqual(["frost", "stones", "rain"]);
});

test("a day is dragged to its place by its handle", async () => {
  const { screen, store } = await open(COURSE);
  const row = (title: string) => screen.getByRole("listitem").filter({ hasText: title }).element();
  await expect.element(screen.getByText("1. Rain on the roof")).toBeVisible();
  const handle = row("Rain on the roof").querySelector('[aria-hidden="true"]') as HTMLElement;
  const at = (clientY: number) => ({ bubbles: true, cancelable: true, pointerId: 1, clientY });
  handle.dispatchEvent(new PointerEvent("pointerdown", at(handle.getBoundingClientRect().top)));
  await expect.poll(() => row("Rain on the roof").hasAttribute("data-held")).toBe(true);
  window.dispatchEvent(new PointerEvent("pointermove", at(row("Stones").getBoundingClientRect().bottom - 4)));
  window.dispatchEvent(new PointerEvent("pointerup", at(0)));
  await expect.element(screen.getByText("3. Rain on the roof")).toBeVisible();
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  expect(idsOf(store)).toEqual(["frost", "stones", "rain"]);
});

test("a day is written, led to an article, added and taken out", async () => {
  const { screen, store } = await open(COURSE);
  await screen.getByRole("button", { name: "Remove A white morning" }).click();
  await screen.getByRole("button", { name: "Add to Days" }).click();
  await screen.getByRole("textbox", { name: "Title" }).last().fill("Hail");
  await screen.getByRole("textbox", { name: "Line of the day" }).last().fill("Short and loud.");
  await screen.getByRole("button", { name: "Choose: Article" }).last().click();
  const dialog = screen.getByRole("dialog", { name: "Choose an entry" });
  await dialog.getByRole("button", { name: "On frost" }).click();
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  const days = daysOf(store);
  expect(days).toHaveLength(3);
  expect(days[2]).toMatchObject({ title: "Hail", line: "Short and loud.", article: "on-frost" });
  expect(days[2]).toHaveProperty("id", expect.stringMatching(/^n[0-9a-f]{8}$/));
});
