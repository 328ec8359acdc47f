import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Member } from "@/lib/boot";
import { SearchService } from "@/gen/serein/web/v1/search_pb";
import { member } from "@/testing/member";
import { show } from "@/testing/page";
import { Dialog } from "@/ui/Dialog";
import { Header } from "./Header";
import { SiteSearch } from "./SiteSearch";

const open = (path = "/about?of=mine", who: Member | null = member(), asks = false) =>
  show(
    <>
      <Header />
      <main>
        <label>
          Note <textarea />
        </label>
        <label>
          Agree <input type="checkbox" />
        </label>
      </main>
      {asks ? <Dialog title="First this">Answer it</Dialog> : null}
      <SiteSearch />
    </>,
    {
      path,
      member: who,
      gateway: ({ rpc }) => rpc(SearchService.method.search, () => ({})),
    },
  );

const dialog = () => page.getByRole("dialog", { name: "Search" });
const query = () => window.location.search;

test.each(["/", "{Control>}k{/Control}", "{Meta>}k{/Meta}"])("%s opens the search", async (keys) => {
  await open();
  await userEvent.keyboard(keys);
  await expect.element(dialog()).toBeVisible();
  await expect.element(page.getByLabelText("Type to find content")).toHaveFocus();
  expect(query()).toBe("?of=mine&find=");
  await expect.element(page.getByLabelText("Type to find content")).toHaveValue("");
});

test("a slash that is written opens nothing; Control and K does from anywhere", async () => {
  await open();
  await page.getByLabelText("Note").click();
  await userEvent.keyboard("and/or");
  await expect.element(page.getByLabelText("Note")).toHaveValue("and/or");
  expect(query()).toBe("?of=mine");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(dialog()).toBeVisible();
});

test("a slash on what takes no letters opens it", async () => {
  await open();
  await page.getByLabelText("Agree").click();
  await userEvent.keyboard("/");
  await expect.element(dialog()).toBeVisible();
});

test("its button opens it, Escape closes it, and the focus is back at the button", async () => {
  await open();
  const button = page.getByRole("button", { name: "Search" });
  await button.click();
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => dialog().query()).toBeNull();
  await expect.element(button).toHaveFocus();
  expect(query()).toBe("?of=mine");
});

test("Back closes it, Forward opens it again", async () => {
  await open();
  await page.getByRole("button", { name: "Search" }).click();
  await expect.element(dialog()).toBeVisible();
  window.history.back();
  await expect.poll(() => dialog().query()).toBeNull();
  window.history.forward();
  await expect.element(dialog()).toBeVisible();
});

test("a link opens it, and closing it stays on the page", async () => {
  const before = window.history.length;
  await open("/about?of=mine&find=rain#more");
  await expect.element(page.getByLabelText("Type to find content")).toHaveValue("rain");
  await userEvent.keyboard("{Escape}");
  await expect.poll(query).toBe("?of=mine");
  expect(window.location.hash).toBe("#more");
  expect(window.history.length).toBe(before);
});

test("nothing opens before what must be answered", async () => {
  await open("/about", member(), true);
  await userEvent.keyboard("/");
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(query()).toBe("");
});

test("visitors have no search: no button, no keys, and no address that opens it", async () => {
  const { session } = await open("/about?find=rain", null);
  expect(page.getByRole("button", { name: "Search" }).elements()).toEqual([]);
  await userEvent.keyboard("/");
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(dialog().query()).toBeNull();
  session.set({ ...session.get(), member: member() });
  await expect.element(dialog()).toBeVisible();
  session.becomeVisitor();
  await expect.poll(() => dialog().query()).toBeNull();
});
