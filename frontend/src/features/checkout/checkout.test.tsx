import { Code } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { OrderService, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { failure } from "@/testing/failure";
import { sessionEnded } from "@/lib/account-panel";
import { lineFor, MockBasket, ORDER_ID } from "@/testing/mock-basket";
import { mockShop } from "@/testing/mock-shop";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { CheckoutPage } from "./CheckoutPage";

interface Setting {
  visitor?: boolean;
  /** What the order is that this tab went away to pay. */
  away?: { state: OrderState; plan?: boolean };
}

const full = () => new MockBasket([lineFor("tee", "M"), lineFor("socks", "4 to 7", { quantity: 2 })]);
const premium = () => new MockBasket([lineFor("calm-premium", "month")]);

const open = (basket: MockBasket, { visitor = false, away }: Setting = {}) => {
  if (away)
    sessionStorage.setItem("serein-paying", JSON.stringify({ orderId: ORDER_ID, plan: away.plan ?? false }));
  return show(
    <main>
      <CheckoutPage />
    </main>,
    {
      ...(visitor && { member: null }),
      path: "/checkout",
      gateway: (router) => {
        basket.serve(router);
        mockShop(router);
        router.service(OrderService, {
          getOrder: ({ orderId }) => ({ order: { id: orderId, state: away?.state ?? OrderState.OPEN } }),
        });
      },
    },
  );
};

const button = (name: string | RegExp) => page.getByRole("button", { name });
const text = (words: string | RegExp) => page.getByText(words);
const address = () => window.location.pathname + window.location.search;

afterEach(() => sessionStorage.clear());

test("things have their sizes, quantities and prices, and the button names what is taken, with delivery", async () => {
  await open(full());
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  await expect.element(text("Size 4 to 7")).toBeVisible();
  await expect.element(text("Quantity 2")).toBeVisible();
  await expect.element(text("£24.22")).toBeVisible();
  await expect.element(text("£3.11")).toBeVisible();
  await expect.element(text("amara@lakehouse.example")).toBeVisible();
  await expect.element(text(/Have a promotion code\? The next page asks for it\./)).toBeVisible();
  // 28.11 + 2 x 12.11 + 3.11
  await expect.element(button("Pay £55.44")).toBeVisible();
  await expect.element(page.getByRole("tab", { name: "Pay Now" })).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByRole("link", { name: "Back to Basket" })).toHaveAttribute("href", "/basket");
  expect(await axeFaults()).toEqual([]);
});

test("a member whose session ends here stays on the checkout while they are asked to sign in again", async () => {
  sessionEnded.set(true);
  await open(new MockBasket(), { visitor: true });
  await expect.element(page.getByRole("heading", { name: "Checkout" })).toBeVisible();
  await expect.element(page.getByText("Opening the checkout")).toBeVisible();
  expect(window.location.pathname).toBe("/checkout");
  sessionEnded.set(false);
  await expect.poll(() => window.location.pathname).toBe("/basket");
});

test("a membership says how long it lasts, what it brings and what it costs from then on", async () => {
  await open(premium());
  await expect.element(text("One month, renews on its own")).toBeVisible();
  await expect.element(text("Credits each month")).toBeVisible();
  await expect.element(text("£13.11 a month")).toBeVisible();
  await expect.element(button("Pay £13.11")).toBeVisible();
  expect(text("Delivery").query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("paying asks for the basket that is shown, and leads to the payment page", async () => {
  const basket = premium();
  const asked: bigint[] = [];
  basket.checkout = ({ version, requestId }) => {
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    asked.push(version);
    return { orderId: ORDER_ID, url: "#paying" };
  };
  await open(basket);
  await button("Pay £13.11").click();
  await expect.poll(() => window.location.hash).toBe("#paying");
  expect(asked).toEqual([1n]);
  await expect.element(button("Pay £13.11")).toHaveAttribute("aria-busy", "true");
});

test("a basket that changed elsewhere is shown as it is now, said so, and paid as that with the next press", async () => {
  const basket = full();
  await open(basket);
  await expect.element(button("Pay £55.44")).toBeVisible();
  basket.lines = [lineFor("calm-premium", "month")];
  basket.elsewhere();
  await button("Pay £55.44").click();
  await expect.element(text(/^Your basket has changed, and you haven’t been charged/)).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Premium membership" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await button("Try again, £13.11").click();
  await expect.poll(() => window.location.hash).toBe("#paying");
});

test.for([
  [Code.FailedPrecondition, "ITEM_SOLD_OUT", /^Something you chose has just sold out/],
  [Code.FailedPrecondition, "ITEM_NOT_SOLD", /^Something you chose is no longer sold/],
  [Code.FailedPrecondition, "MEMBERSHIP_ALONE", /^A membership has to be bought on its own/],
  [Code.FailedPrecondition, "MEMBERSHIP_CURRENT", /^You already have a membership/],
  [Code.FailedPrecondition, "TOP_UP_NOT_ALLOWED", /^Top-ups come with a membership/],
] as const)("a refusal is said by its reason: %s %s", async ([code, reason, words]) => {
  const basket = full();
  basket.checkout = () => {
    throw failure(code, "No.", reason, "");
  };
  await open(basket);
  await button("Pay £55.44").click();
  await expect.element(text(words)).toBeVisible();
  await expect.element(button("Try again, £55.44")).toBeVisible();
});

test("where the payment provider is away it is said that the basket stays, and it does", async () => {
  const basket = full();
  basket.checkout = () => {
    throw failure(Code.Unavailable, "Away.", "PAYMENT_PROVIDER_UNAVAILABLE", "");
  };
  await open(basket);
  await button("Pay £55.44").click();
  await expect
    .element(text(/^We can’t reach our payment provider.*your basket is as you left it/))
    .toBeVisible();
  expect(basket.lines.length).toBe(2);
  expect(await axeFaults()).toEqual([]);
});

test("what cannot be bought holds the payment back, with the reason", async () => {
  await open(new MockBasket([lineFor("sweatshirt", "XL", { unavailable: true })]));
  await expect.element(button(/^Pay/)).toHaveAttribute("aria-disabled", "true");
  await expect.element(text(/^You can’t buy something here at the moment/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("with nothing in it there is nothing to pay: it leads to the basket", async () => {
  await open(new MockBasket());
  await expect.poll(address).toBe("/basket");
});

test("a basket that another tab has emptied leads to the basket as soon as this one is looked at", async () => {
  const basket = full();
  await open(basket);
  await expect.element(button("Pay £55.44")).toBeVisible();
  basket.lines = [];
  basket.elsewhere();
  window.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(address).toBe("/basket");
});

test("a visitor is asked to sign in or up, sees the basket all the while, and is led back here", async () => {
  await open(full(), { visitor: true });
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Sign in" }))
    .toHaveAttribute("href", "/auth/sign-in?return_to=%2Fcheckout");
  expect(button(/^Pay/).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await button("Create Account").click();
  await expect.poll(address).toBe("/signup");
  expect(window.history.state).toMatchObject({ under: { pathname: "/checkout" } });
});

test("a member who comes back without paying sees once that nothing was taken", async () => {
  await open(full(), { away: { state: OrderState.OPEN } });
  await expect.element(text(/^You came back without paying, so you haven’t been charged/)).toBeVisible();
  await expect.element(button("Pay £55.44")).toBeVisible();
  expect(sessionStorage.getItem("serein-paying")).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("who has paid and comes back by the browser's button is not told otherwise, but led to the order", async () => {
  await open(full(), { away: { state: OrderState.PROCESSING } });
  await expect.poll(address).toBe(`/order-success?order=${ORDER_ID}`);
});

test("who cancels a plan that was chosen before signing in is led to the plans, and told there", async () => {
  await open(full(), { away: { state: OrderState.OPEN, plan: true } });
  await expect.poll(address).toBe("/memberships");
  expect(window.history.state).toMatchObject({ said: expect.stringMatching(/you haven’t been charged/) });
});

test("who pays what another tab has paid meanwhile is led to the empty basket, and told why", async () => {
  const basket = premium();
  basket.checkout = () => {
    basket.lines = [];
    throw failure(Code.FailedPrecondition, "It is empty.", "CHECKOUT_EMPTY", "");
  };
  await open(basket);
  await button("Pay £13.11").click();
  await expect.poll(address).toBe("/basket");
  expect(toaster.list.get().map(({ text: said }) => said)).toEqual([
    "Your basket is empty, so there is nothing to pay for.",
  ]);
});
