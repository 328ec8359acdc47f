import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { CLOSED } from "@/data/shop";
import type { GetMembershipsResponse } from "@/gen/serein/web/v1/shop_pb";
import { CardAction, ShopService } from "@/gen/serein/web/v1/shop_pb";
import { topUpOpen } from "@/lib/top-up";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { membershipsOnCore } from "@/testing/mock-shop";
import { axeFaults, show } from "@/testing/page";
import { memberships, topUps } from "@/testing/shop";
import { Memberships } from "./Memberships";

interface Setting {
  answer?: () => GetMembershipsResponse;
  basket?: MockBasket;
  path?: string;
  visitor?: boolean;
  /** What the history entry holds. */
  state?: unknown;
}

const open = ({
  answer = memberships,
  basket = new MockBasket(),
  path = "/memberships",
  visitor = true,
  state,
}: Setting = {}) =>
  show(
    <main>
      <Memberships />
    </main>,
    {
      ...(visitor && { member: null }),
      path,
      state,
      gateway: (router) => {
        basket.serve(router);
        router.service(ShopService, { getMemberships: answer, getTopUps: () => topUps() });
      },
    },
  );

const plan = (name: string) => page.getByRole("region", { name, exact: true });
const names = () =>
  page
    .getByRole("heading", { level: 2 })
    .elements()
    .map((h) => h.textContent?.trim());

afterEach(() => {
  vi.useRealTimers();
  topUpOpen.set(false);
  sessionStorage.clear();
});

test("a member who came by the link of a plan sees that it is here, or that it is not sold", async () => {
  const shown = await open({
    visitor: false,
    path: "/memberships?period=year",
    state: { plan: "calm-premium" },
  });
  const word = page.getByRole("status").first();
  await expect.element(word).toHaveTextContent(/^You came for Premium\. Here it is, with the others\.$/);
  await expect.element(page.getByRole("radio", { name: "Yearly" })).toBeChecked();
  expect(await axeFaults()).toEqual([]);
  await shown.screen.unmount();
  await open({ visitor: false, state: { plan: "calm-forever" } });
  await expect
    .element(page.getByText("The membership in your link isn’t sold here. These are."))
    .toBeVisible();
});

test("title, subtitle and cards are content's, in their order, with badges, features and questions", async () => {
  await open();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("A place to come back to");
  await expect.element(page.getByText(/^Choose how much of Serein/)).toBeVisible();
  expect(names().slice(0, 5)).toEqual([
    "Free trial",
    "Core",
    "Premium",
    "Generate",
    "Bespoke Journey Coming Soon",
  ]);
  await expect.element(plan("Premium").getByText("Best Value")).toBeVisible();
  await expect.element(plan("Premium").getByText("Personalized ‘My Journey’")).toBeVisible();
  await expect.element(page.getByText("Prices include VAT")).toBeVisible();
  await expect.element(page.getByText(/^5 days and 3 meditation credits/)).toBeVisible();
  await page.getByText("Can I change between memberships?").click();
  await expect.element(page.getByText("Yes. See")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("VAT is named only where prices include it", async () => {
  await open({ answer: () => ({ ...memberships(), pricesIncludeVat: false }) });
  await expect.element(plan("Core")).toBeVisible();
  expect(page.getByText("Prices include VAT").query()).toBeNull();
});

test("monthly and yearly stand in the address, with the price, the saving and the button of each", async () => {
  const basket = new MockBasket();
  await open({ basket });
  await expect.element(plan("Core").getByText("£8.11")).toBeVisible();
  await expect.element(plan("Core").getByText("or £81.10 a year")).toBeVisible();
  await expect.element(plan("Core").getByText(/^\d+ bespoke credits each month$/)).toBeVisible();
  await page.getByRole("radio", { name: "Yearly" }).click();
  await expect.poll(() => window.location.search).toBe("?period=year");
  await expect.element(plan("Core").getByText("£81.10")).toBeVisible();
  await expect.element(plan("Core").getByText("saves £16.22 against monthly")).toBeVisible();
  await expect.element(plan("Core").getByText(/^\d+ bespoke credits each year$/)).toBeVisible();
  await page.getByRole("button", { name: "Add to basket: Core" }).click();
  await expect.poll(() => window.location.pathname).toBe("/basket");
  expect(basket.lines.map(({ productId, size }) => [productId, size])).toEqual([["calm-core", "year"]]);
});

test("an address with the year opens with the year", async () => {
  await open({ path: "/memberships?period=year" });
  await expect.element(page.getByRole("radio", { name: "Yearly" })).toBeChecked();
  await expect.element(plan("Premium").getByText("£131.10")).toBeVisible();
});

test("a second membership is not added, and the basket's page is asked to offer it in its place", async () => {
  const basket = new MockBasket([lineFor("calm-premium", "month")]);
  await open({ basket });
  await page.getByRole("button", { name: "Add to basket: Core" }).click();
  await expect.poll(() => window.location.pathname).toBe("/basket");
  expect(basket.lines.map(({ name }) => name)).toEqual(["Premium"]);
});

test("a trial begins at sign-up", async () => {
  await open();
  await page.getByRole("button", { name: "Start your free trial" }).click();
  await expect.poll(() => window.location.pathname).toBe("/signup");
});

test("a visitor may sign up for a plan at once: plan and period are kept for the tab, until the panel is closed or opened for something else", async () => {
  await open({ path: "/memberships?period=year" });
  await page.getByRole("button", { name: "Sign up and pay now: Premium" }).click();
  await expect.poll(() => window.location.pathname).toBe("/signup");
  expect(JSON.parse(sessionStorage.getItem("pendingPlan") ?? "")).toEqual({
    planId: "calm-premium",
    period: "year",
  });
  await page.getByRole("button", { name: "Start your free trial" }).click();
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("a member is not asked to sign up", async () => {
  await open({ visitor: false });
  await expect.element(page.getByRole("button", { name: "Add to basket: Core" })).toBeVisible();
  expect(page.getByRole("button", { name: /^Sign up and pay now/ }).elements()).toEqual([]);
});

test("why a payment page did not open is said above the plans", async () => {
  await open({ state: { said: "You already have a membership." } });
  await expect.element(page.getByText("You already have a membership.")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("an enquiry leads to Contact with the plan named", async () => {
  await open();
  await expect
    .element(page.getByRole("link", { name: "Make an enquiry" }))
    .toHaveAttribute("href", "/contact?plan=Bespoke%20Journey");
});

test("a member's own plan has no button, others offer the change, and a trial that is over cannot begin again", async () => {
  await open({ answer: membershipsOnCore, visitor: false });
  await expect.element(plan("Core").getByText("Your membership")).toBeVisible();
  await expect.element(plan("Core").getByText("Active")).toBeVisible();
  expect(plan("Core").getByRole("button").elements()).toEqual([]);
  await expect.element(plan("Premium").getByRole("button", { name: "Change Plan: Premium" })).toBeVisible();
  expect(page.getByRole("button", { name: "Start your free trial" }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("what lies in the basket leads there, and what cannot be bought has no button", async () => {
  await open({
    answer: () => {
      const answer = memberships();
      const [, core, premium] = answer.plans;
      if (core?.monthly) core.monthly.action = CardAction.IN_BASKET;
      if (premium?.monthly) premium.monthly.action = CardAction.UNAVAILABLE;
      return answer;
    },
  });
  await expect
    .element(plan("Core").getByRole("link", { name: "In your basket" }))
    .toHaveAttribute("href", "/basket");
  await expect.element(plan("Premium").getByText("Not available at the moment")).toBeVisible();
  expect(plan("Premium").getByRole("button").elements()).toEqual([]);
});

test("a page that was opened before the shop was sells as soon as it can", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let closed = true;
  await open({
    answer: () => {
      const answer = memberships();
      const core = answer.plans[1]?.monthly;
      if (core && closed) core.action = CardAction.UNAVAILABLE;
      return answer;
    },
  });
  await expect.element(plan("Core").getByText("Not available at the moment")).toBeVisible();
  closed = false;
  await vi.advanceTimersByTimeAsync(CLOSED.firstMs * 1.5);
  await expect.element(plan("Core").getByRole("button", { name: "Add to basket: Core" })).toBeVisible();
});

test("packs have their prices and savings, and their button opens the top-up dialog", async () => {
  await open();
  await expect.element(page.getByRole("row", { name: /41 credits.*8% saved.*£11\.11/ })).toBeVisible();
  await page.getByRole("button", { name: "Top up credits" }).click();
  expect(topUpOpen.get()).toBe(true);
});
