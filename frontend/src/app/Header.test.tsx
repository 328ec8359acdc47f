import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { member } from "@/testing/member";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { Header } from "./Header";

test("visitors are offered to sign in; the page one is on is marked", async () => {
  await page.viewport(1280, 800);
  const { screen } = await show(<Header />, { member: null });
  await expect.element(screen.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "Home", exact: true }))
    .toHaveAttribute("aria-current", "page");
  expect(screen.getByRole("link", { name: /My Journey/ }).elements()).toEqual([]);
  expect(screen.getByRole("button", { name: "Search" }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("members find their journey with its count, and themselves", async () => {
  await page.viewport(1280, 800);
  const { screen } = await show(<Header />, { member: member({ journeyCount: 3 }) });
  await expect.element(screen.getByRole("link", { name: /My Journey/ })).toHaveTextContent("3 meditations");
  await expect.element(screen.getByRole("link", { name: "Amara" })).toHaveAttribute("href", "/members");
  await expect.element(screen.getByRole("button", { name: "Search" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a tablet's bar holds the links while they are few, and needs no menu", async () => {
  await page.viewport(900, 800);
  const amara = member();
  const few = { ...amara, plan: amara.plan && { ...amara.plan, entitlements: ["generator"] } };
  for (const who of [null, few]) {
    const { screen } = await show(<Header />, { member: who });
    await expect.element(screen.getByRole("link", { name: "Bespoke Meditation Generator" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Menu" }).query()).toBeNull();
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
    await screen.unmount();
  }
});

test("where the bar has no room, the menu holds the same", async () => {
  await page.viewport(390, 800);
  const { screen } = await show(<Header />, { member: member() });
  await expect.element(screen.getByRole("button", { name: "Search" })).toBeVisible();
  await screen.getByRole("button", { name: "Menu" }).click();
  const menu = screen.getByRole("navigation", { name: "Menu" });
  await expect.element(menu.getByRole("link", { name: "Members Area" })).toBeVisible();
  await expect.element(menu.getByRole("link", { name: "Contact" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the basket stands in the bar with its count, for visitors too, and what was brought along is said", async () => {
  await page.viewport(1280, 800);
  const basket = new MockBasket([lineFor("socks", "4 to 7", { quantity: 2 }), lineFor("tote")]);
  basket.merged = true;
  const { screen } = await show(<Header />, { member: null, gateway: basket.serve });
  await expect
    .element(
      screen
        .getByRole("link", { name: "Basket , 3 items" })
        .or(screen.getByRole("link", { name: "Basket, 3 items" })),
    )
    .toHaveAttribute("href", "/basket");
  await expect
    .poll(() => toaster.list.get().map(({ text }) => text))
    .toEqual(["What you chose before signing in is in your basket too."]);
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
  expect(await axeFaults()).toEqual([]);
});

test("from a narrow tablet to a wide screen the bar fits its width", async () => {
  const amara = member({ admin: true, givenName: "Maximiliana" });
  for (const who of [null, amara])
    for (const width of [360, 600, 820, 900, 1199, 1200, 1280, 1366, 1440]) {
      await page.viewport(width, 800);
      const { screen } = await show(<Header />, { member: who });
      await expect.element(screen.getByRole("link", { name: /^Basket/ })).toBeVisible();
      const { scrollWidth, clientWidth } = document.documentElement;
      expect([width, scrollWidth]).toEqual([width, clientWidth]);
      await screen.unmount();
    }
});
