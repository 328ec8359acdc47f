import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { GetMembershipResponse } from "@/gen/serein/web/v1/orders_pb";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { member } from "@/testing/member";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { onCore } from "@/testing/mock-orders";
import { axeFaults, show } from "@/testing/page";
import { MembersArea } from "./MembersArea";

const TRIAL = {
  planName: "Free trial",
  period: "",
  trial: true,
  renews: false,
  hasCard: false,
  purchased: [],
};

const open = (getMembership: () => GetMembershipResponse, basket = new MockBasket()) =>
  show(
    <main>
      <MembersArea member={member()} />
    </main>,
    {
      path: "/members",
      gateway: (router) => {
        basket.serve(router);
        router.service(OrderService, {
          getMembership,
          openPortal: () => {
            throw new ConnectError("away", Code.Internal);
          },
        });
      },
    },
  );

const panel = (name: string) => page.getByRole("region", { name });
const subscription = () => panel("My Subscription");

test("a membership says its price, when it began and renews, and whose it is", async () => {
  await open(() => onCore());
  await expect.element(subscription()).toHaveTextContent("£8.11 a month");
  await expect.element(subscription()).toHaveTextContent("Began14 November 2026");
  await expect.element(subscription()).toHaveTextContent("Renews14 December");
  await expect.element(subscription()).toHaveTextContent("amara@lakehouse.example");
  expect(subscription().getByRole("link").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("one that does not renew ends, and a year is a year", async () => {
  await open(() => onCore({ renews: false, period: "year" }));
  await expect.element(subscription()).toHaveTextContent("Ends14 December");
  await expect.element(subscription()).toHaveTextContent("£8.11 a year");
});

test("who is in the trial, or has no active subscription, is led to the plans", async () => {
  for (const more of [TRIAL, { active: false }]) {
    const { screen } = await open(() => onCore(more));
    await expect
      .element(subscription().getByRole("link", { name: "Change Plan" }))
      .toHaveAttribute("href", "/memberships");
    expect(await axeFaults()).toEqual([]);
    await screen.unmount();
  }
});

test("the card is updated at the provider by those who have one, and a failure is said", async () => {
  await open(() => onCore());
  await subscription().getByRole("button", { name: "Update your card" }).click();
  await expect.element(subscription().getByRole("alert")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the basket and what waits stand there with size, number, price and day", async () => {
  const basket = new MockBasket([lineFor("socks", "4 to 7", { quantity: 2 })], [lineFor("tee", "M")]);
  await open(() => onCore(TRIAL), basket);
  const mine = panel("My Basket");
  await expect.element(mine).toHaveTextContent("Rain socksSize 4 to 7, quantity 2, in your basket£12.11");
  await expect.element(mine).toHaveTextContent("The leaning pine tee");
  await expect
    .element(mine.getByRole("link", { name: "Open the basket" }))
    .toHaveAttribute("href", "/basket");
  await expect.element(panel("Purchased Items")).toHaveTextContent("Nothing yet.");
  expect(page.getByRole("button", { name: "Update your card" }).elements()).toEqual([]);
});

test("what was bought is listed, with the way to its receipts", async () => {
  await open(() => onCore());
  const bought = panel("Purchased Items");
  await expect.element(bought).toHaveTextContent("Rain socksSize 4 to 7, quantity 2, 16 November 2026£12.11");
  await expect
    .element(bought.getByRole("link", { name: "Orders and receipts" }))
    .toHaveAttribute("href", "/orders");
  await expect.element(panel("My Basket")).toHaveTextContent("Your basket is empty.");
});

test("without answers what the session knows stays, it is said what is missing, and each is asked for once", async () => {
  let asked = 0;
  const basket = new MockBasket();
  basket.answer = () => {
    asked++;
    throw new ConnectError("broken", Code.Internal);
  };
  await open(() => {
    asked++;
    throw new ConnectError("broken", Code.Internal);
  }, basket);
  await expect.element(subscription().getByRole("alert")).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Free trial");
  await expect.element(panel("Purchased Items").getByRole("alert")).toBeVisible();
  await expect.element(panel("My Basket").getByRole("alert")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  expect(asked).toBe(2);
});
