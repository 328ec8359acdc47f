import { Code } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { StudioService } from "@/gen/serein/web/v1/studio_pb";
import { failure } from "@/testing/failure";
import { made, mockStudio } from "@/testing/mock-studio";
import { axeFaults, show } from "@/testing/page";
import { Tabs } from "./Tabs";
import { Unverified } from "./Unverified";

beforeEach(() => sessionStorage.clear());

const page = (
  <main>
    <h1>Admin</h1>
    <Unverified />
  </main>
);

test("each waits with its facts, and one that is being narrated with how far it is", async () => {
  const { screen } = await show(page, { gateway: (router) => mockStudio(router) });
  await expect.element(screen.getByText("Stress Relief, Zen (Zazen), voice only, 4:12")).toBeVisible();
  await expect.element(screen.getByText("Narrating, passage 3 of 6")).toBeVisible();
  expect(screen.getByRole("button", { name: "Verify Slamming no doors" }).query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("a verified one says so in its place", async () => {
  const { screen } = await show(page, { gateway: (router) => mockStudio(router) });
  await screen.getByRole("button", { name: "Verify Leaning into it" }).click();
  await expect.element(screen.getByText("“Leaning into it” is verified, and in the library.")).toBeVisible();
  const titles = [...document.querySelectorAll("li")].map((li) => li.textContent ?? "");
  expect(titles[1]).toContain("Leaning into it");
  expect(await axeFaults()).toEqual([]);
});

test("a deleted one is brought back from its place, by the keyboard alone", async () => {
  const { screen } = await show(page, { gateway: (router) => mockStudio(router) });
  const remove = screen.getByRole("button", { name: "Delete Steam from a cup" });
  await expect.element(remove).toBeVisible();
  (remove.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const undo = screen.getByRole("button", { name: "Undo: bring Steam from a cup back" });
  await expect.element(undo).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("button", { name: "Verify Steam from a cup" })).toBeVisible();
});

test("one sound is open at a time", async () => {
  const { screen } = await show(page, { gateway: (router) => mockStudio(router) });
  await screen.getByRole("button", { name: "Listen to Steam from a cup" }).click();
  await expect.element(screen.getByLabelText("Sound of Steam from a cup", { exact: true })).toBeVisible();
  await screen.getByRole("button", { name: "Listen to Leaning into it" }).click();
  await expect.element(screen.getByLabelText("Sound of Leaning into it", { exact: true })).toBeVisible();
  expect(document.querySelectorAll("audio")).toHaveLength(1);
});

test("a refusal stands at its row, which stays as it was", async () => {
  const { screen } = await show(page, {
    gateway: ({ rpc }) => {
      rpc(StudioService.method.listMade, () => ({ made: [made("steam")], unverified: 1 }));
      rpc(StudioService.method.verifyMeditation, () => {
        throw failure(Code.FailedPrecondition, "It has not been narrated yet.", "NOT_NARRATED", "");
      });
    },
  });
  await screen.getByRole("button", { name: "Verify Steam from a cup" }).click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("It has not been narrated yet.");
  await expect.element(screen.getByRole("button", { name: "Verify Steam from a cup" })).toBeVisible();
});

test("nothing waits is said", async () => {
  const { screen } = await show(page, { gateway: (router) => mockStudio(router, []) });
  await expect.element(screen.getByRole("heading", { name: "Nothing is waiting" })).toBeVisible();
});

test("the tabs have addresses, and the count of those that wait", async () => {
  const { screen } = await show(<Tabs here="unverified" unverified={4} />);
  const tab = screen.getByRole("link", { name: "Unverified 4 waiting" });
  await expect.element(tab).toHaveAttribute("aria-current", "page");
  await expect.element(tab).toHaveAttribute("href", "/admin?tab=unverified");
  await expect.element(screen.getByRole("link", { name: "Meditation" })).toHaveAttribute("href", "/admin");
  expect(await axeFaults()).toEqual([]);
});
