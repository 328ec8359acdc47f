import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showMembership } from "@/testing/members-area";
import { manyRows, pagesOf, someRows } from "@/testing/mock-membership";
import { axeFaults } from "@/testing/page";
import { LedgerPage } from "./LedgerPage";

const open = (listLedger: (request: { pageToken: string }) => ReturnType<ReturnType<typeof pagesOf>>) =>
  showMembership(<LedgerPage />, undefined, { answers: { listLedger } });

const toTheEnd = () =>
  page.getByRole("button", { name: "Show more entries" }).element().scrollIntoView({ block: "end" });

const rows = () => page.getByRole("row").elements().length - 1;

test("an entry says when, what, of which pool, the change and what was left, and leads to its meditation", async () => {
  await open(pagesOf(someRows(), 40));
  const row = (name: RegExp) => page.getByRole("row", { name });
  await expect
    .element(row(/After the long meeting/))
    .toHaveTextContent(/^Today 13:00.*Reserved while it’s being made/);
  await expect.element(row(/After the long meeting/)).toHaveTextContent("2 reserved34");
  await expect.element(row(/A friend joined/)).toHaveTextContent("Top-up+636");
  await expect.element(row(/Rest before/)).toHaveTextContent("Plan030");
  await expect.element(row(/Sunday, all of it/)).toHaveTextContent("Plan and top-up−230");
  await expect
    .element(page.getByRole("link", { name: "Exam week" }))
    .toHaveAttribute("href", "/bespoke-meditation-generator/0193f2c0-0000-7000-8000-0000000000ab");
  await expect.element(page.getByText("That’s all of them.")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("on a phone nothing lies beside the page", async () => {
  await page.viewport(360, 760);
  await open(pagesOf(someRows(), 40));
  await expect.element(page.getByRole("row", { name: /Core renewed/ })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  expect(await axeFaults()).toEqual([]);
  await page.viewport(1280, 900);
});

test("it goes on by itself towards its end, moves nothing that is read, and asks for each page once", async () => {
  const asked: string[] = [];
  const pages = pagesOf(manyRows(30), 70);
  await open((request) => {
    asked.push(request.pageToken);
    return pages(request);
  });
  await expect.poll(rows).toBe(70);
  const last = page.getByRole("row").elements().at(-1);
  last?.scrollIntoView({ block: "center" });
  const before = last?.getBoundingClientRect().top;
  await expect.poll(rows).toBe(140);
  expect(last?.getBoundingClientRect().top).toBe(before);
  toTheEnd();
  await expect.poll(rows).toBe(210);
  await expect.element(page.getByText("That’s all of them.")).toBeVisible();
  expect(asked).toEqual(["", "70", "140"]);
});

test("a page that did not come is asked for again by hand alone, and what was read stays", async () => {
  let broken = true;
  let asked = 0;
  const pages = pagesOf(manyRows(3), 14);
  await open((request) => {
    if (request.pageToken !== "" && broken) {
      asked++;
      throw new ConnectError("broken", Code.Internal);
    }
    return pages(request);
  });
  await expect.poll(rows).toBe(14);
  toTheEnd();
  await expect.element(page.getByRole("alert")).toBeVisible();
  expect(rows()).toBe(14);
  expect(asked).toBe(1);
  broken = false;
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect.poll(rows).toBe(21);
});

test("nobody's entries are said to be none, and an error can be tried again", async () => {
  const { screen } = await open(pagesOf([], 40));
  await expect.element(page.getByRole("heading", { name: "Nothing here yet" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.unmount();
  let broken = true;
  await open((request) => {
    if (broken) throw new ConnectError("broken", Code.Internal);
    return pagesOf(someRows(), 40)(request);
  });
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("heading", { name: "Your credits" })).toBeVisible();
});
