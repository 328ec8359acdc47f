import type { JsonObject } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { article, mockEditor } from "@/testing/mock-editor";
import { axeFaults, show } from "@/testing/page";
import Editor from "./Editor";

beforeEach(() => sessionStorage.clear());

const ENTRY = "/admin?tab=editor&type=article&id=on-rain";
const DRAFT = "/admin?tab=editor&type=article&id=a-draft";
const FRESH = "/admin?tab=editor&type=article&new=yes";

const page = (
  <main>
    <h1>Admin</h1>
    <Editor />
  </main>
);

interface Behind {
  /** What else is so before the page is opened. */
  before?: (store: ReturnType<typeof mockEditor>, router: ConnectRouter) => void;
  uid?: string;
}

/** The editor at an address, and what stands behind it. */
async function open(path: string, { before, uid }: Behind = {}) {
  const made: ReturnType<typeof mockEditor>[] = [];
  const shown = await show(page, {
    path,
    member: member(uid ? { uid } : {}),
    gateway: (router) => {
      const store = mockEditor(router);
      before?.(store, router);
      made.push(store);
    },
  });
  return { ...shown, store: made[0] as ReturnType<typeof mockEditor> };
}

type Screen = Awaited<ReturnType<typeof open>>["screen"];

/** Presses a step and says yes to its question. */
async function confirm(screen: Screen, name: string) {
  await screen.getByRole("button", { name, exact: true }).click();
  await screen.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

test("a deleted entry leads back to the list, which has it no more", async () => {
  const { screen, store } = await open(DRAFT);
  await screen.getByRole("button", { name: "Delete", exact: true }).click();
  await expect
    .element(screen.getByRole("dialog", { name: "Delete this?" }))
    .toHaveTextContent("It’s gone for good, with its draft.");
  await screen.getByRole("dialog").getByRole("button", { name: "Leave it as it is" }).click();
  expect(store.item("a-draft")).toBeDefined();
  await confirm(screen, "Delete");
  await expect.element(screen.getByRole("link", { name: "On frost" })).toBeVisible();
  expect(screen.getByRole("link", { name: "A draft about stones" }).elements()).toEqual([]);
  expect(store.item("a-draft")).toBeUndefined();
});

test("what is archived cannot be saved or restored until it is taken out", async () => {
  const { screen, store } = await open(DRAFT);
  await confirm(screen, "Archive");
  await expect.poll(() => store.item("a-draft")?.archived).toBe(true);
  await expect.element(screen.getByRole("button", { name: "Take out of the archive" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Publish", exact: true }).elements()).toEqual([]);
  await expect
    .element(screen.getByRole("button", { name: "Restore version 1" }))
    .toHaveAttribute("aria-disabled", "true");
  await screen.getByRole("textbox", { name: "Title" }).fill("A draft about pebbles");
  const save = screen.getByRole("button", { name: "Save" });
  await expect.element(save).toHaveAttribute("aria-disabled", "true");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Discard my changes" }).click();
  await confirm(screen, "Take out of the archive");
  await expect.element(screen.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
  await screen.getByRole("textbox", { name: "Title" }).fill("A draft about pebbles");
  await save.click();
  await expect.poll(() => store.item("a-draft")?.title).toBe("A draft about pebbles");
});

test("a step is not taken on a version that the editor has not seen", async () => {
  const { screen, store } = await open(ENTRY);
  await expect.element(screen.getByRole("button", { name: "Unpublish" })).toBeVisible();
  store.meanwhile("on-rain", { body: "Theirs." });
  await confirm(screen, "Unpublish");
  await expect.element(screen.getByText(/Someone has saved version 4 since/)).toBeVisible();
  await expect.element(screen.getByLabelText("Body", { exact: true })).toHaveValue("Theirs.");
  expect(store.item("on-rain")?.publishedVersion).toBe(2);
  await confirm(screen, "Unpublish");
  await expect.poll(() => store.item("on-rain")?.publishedVersion).toBe(0);
});

test("what one member has typed is shown to no other one in the same tab", async () => {
  const before = await open(ENTRY);
  await before.screen.getByRole("textbox", { name: "Title" }).fill("Half a thought");
  await before.screen.unmount();
  const { screen } = await open(ENTRY, { uid: "0193f2c0-0000-7000-8000-000000000002" });
  await expect
    .element(screen.getByRole("textbox", { name: "Title" }))
    .toHaveValue("On rain, and being early");
});

test("a new entry waits in the tab, and one whose answer was lost is made once", async () => {
  const tried: string[] = [];
  const before = (_: ReturnType<typeof mockEditor>, router: ConnectRouter) =>
    router.rpc(EditorService.method.createItem, ({ key }) => {
      tried.push(key?.id ?? "");
      if (tried.length === 1) throw new ConnectError("gone", Code.Unavailable);
      return { item: article(key?.id ?? "", "On hail") };
    });
  const first = await open(FRESH, { before });
  await first.screen.getByRole("textbox", { name: "Title" }).fill("On hail");
  await first.screen.unmount();
  const { screen } = await open(FRESH, { before });
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("On hail");
  await screen.getByRole("button", { name: "Make it" }).click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await screen.getByRole("button", { name: "Make it" }).click();
  await expect.poll(() => tried.length).toBe(2);
  expect(tried[1]).toBe(tried[0]);
});

test("what the server refuses of a new entry stands at its field, until that is typed in", async () => {
  const { screen } = await open(FRESH, {
    before: (_, router) =>
      router.rpc(EditorService.method.createItem, () => {
        throw failure(
          Code.InvalidArgument,
          "Another article has this slug.",
          "ITEM_INVALID",
          "fields.slug.en-GB",
        );
      }),
  });
  await screen.getByRole("textbox", { name: "Title" }).fill("On hail");
  await screen.getByRole("button", { name: "Make it" }).click();
  const slug = screen.getByLabelText("Slug");
  await expect.element(slug).toHaveAccessibleDescription("Another article has this slug.");
  await expect.element(slug).toHaveFocus();
  await slug.fill("on-hail");
  await expect.element(slug).not.toHaveAccessibleDescription("Another article has this slug.");
});

test("a link to what was deleted says so, and can be taken out", async () => {
  const gone: JsonObject = { sys: { type: "Link", linkType: "Entry", id: "on-fog" } };
  const { screen, store } = await open(ENTRY, {
    before: (made) => void made.meanwhile("on-rain", { related: [gone] }),
  });
  const related = screen.getByRole("group", { name: "Related" });
  await expect.element(related).toHaveTextContent("Deleted: on-fog");
  await related.getByRole("button", { name: "Remove Deleted: on-fog" }).click();
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText("Everything is saved.")).toBeVisible();
  expect(JSON.stringify(store.item("on-rain")?.fields)).not.toContain("on-fog");
});

test("an entry that is not there is said to be so, with the way back", async () => {
  const { screen } = await open("/admin?tab=editor&type=article&id=nowhere");
  await expect.element(screen.getByRole("alert")).toHaveTextContent("There is no such item.");
  await screen.getByRole("link", { name: "All of “Article”" }).click();
  await expect.element(screen.getByRole("link", { name: "On frost" })).toBeVisible();
});
