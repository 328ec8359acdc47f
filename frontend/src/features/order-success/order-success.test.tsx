import { Code } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Order } from "@/gen/serein/web/v1/orders_pb";
import { OrderService, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { SessionService } from "@/gen/serein/web/v1/session_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { MockBasket } from "@/testing/mock-basket";
import { money } from "@/testing/mock-membership";
import { anOrder } from "@/testing/mock-orders";
import { axeFaults, show } from "@/testing/page";
import { OrderSuccess } from "./OrderSuccess";
import { PAUSES_MS } from "./useOrder";

const PLAN = anOrder("plan");

/** `answers`: one after the other, the last one for ever. */
async function open(answers: (() => Order | Promise<Order>)[], path = `/order-success?order=${PLAN.id}`) {
  const asked = { order: 0, session: 0 };
  const made = await show(
    <main>
      <OrderSuccess />
    </main>,
    {
      path,
      gateway: (router) => {
        new MockBasket().serve(router);
        router.service(OrderService, {
          getOrder: async () => ({ order: await (answers[asked.order++] ?? answers.at(-1))?.() }),
        });
        router.service(SessionService, {
          getSession: () => {
            asked.session++;
            return {
              member: {
                uid: made.session.get().member?.uid ?? "",
                givenName: "Amara",
                credits: { plan: 21n },
                plan: { id: "calm-core", name: "Core", active: true },
              },
            };
          },
        });
      },
    },
  );
  return { ...made, asked };
}

const order = (state: OrderState, kind: Parameters<typeof anOrder>[0] = "plan") => ({
  ...anOrder(kind),
  state,
});
const text = (words: string | RegExp) => page.getByText(words);
const heading = (name: string) => page.getByRole("heading", { level: 1, name });

afterEach(() => void vi.useRealTimers());

test("a paid plan is open: what it brings, the order's figures, and the ways on", async () => {
  const { session } = await open([() => order(OrderState.COMPLETED)]);
  await expect.element(heading("Order Successful!")).toBeVisible();
  await expect.element(text(/^Your Core membership has started, with 21 credits\./)).toBeVisible();
  await expect.element(text(/^Core membership/)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  await expect.element(page.getByRole("link", { name: "View Orders" })).toHaveAttribute("href", "/orders");
  await expect.element(page.getByRole("heading", { name: "While you’re here" })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Make a meditation for this evening" }))
    .toHaveAttribute("href", "/bespoke-meditation-generator");
  // The shell shows the plan and the credits that were bought.
  await expect.poll(() => session.get().member?.plan?.name).toBe("Core");
  expect(session.get().member?.credits.plan).toBe(21);
  expect(await axeFaults()).toEqual([]);
});

test("things and packs have their figures, with the delivery that was paid", async () => {
  await open([() => order(OrderState.COMPLETED, "things")]);
  await expect.element(text("Size 4 to 7, quantity 2")).toBeVisible();
  await expect.element(text("£24.22")).toBeVisible();
  await expect.element(text("of which delivery")).toBeVisible();
  await expect.element(text("£56.28")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what a promotion code took off stands among the figures", async () => {
  const discount = anOrder("things").delivery;
  await open([() => ({ ...order(OrderState.COMPLETED, "things"), discount })]);
  await expect.element(text("Discount, by promotion code")).toBeVisible();
  await expect.element(text("−£3.95")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what was credited, or too little to be charged, before stands among the figures", async () => {
  await open([() => ({ ...order(OrderState.COMPLETED), credited: money(107), carried: money(23) })]);
  for (const figure of ["Credited before", "−£1.07", "Left from an earlier payment", "£0.23"])
    await expect.element(text(figure)).toBeVisible();
});

test("a payment that is not known yet is asked for again until it is, without a press", async () => {
  const known = gate();
  const { asked } = await open([
    () => order(OrderState.PROCESSING),
    () => known.passed.then(() => order(OrderState.COMPLETED)),
  ]);
  await expect.element(heading("We’re confirming your payment")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Back to Home" })).toBeVisible();
  expect(asked.session).toBe(0);
  expect(await axeFaults()).toEqual([]);
  known.open();
  await expect.element(heading("Order Successful!")).toBeVisible();
  expect(asked.order).toBe(2);
});

test("nobody asks for ever: the pauses grow, then it is said, and one press asks again", async () => {
  expect(PAUSES_MS).toEqual(PAUSES_MS.toSorted((a, b) => a - b));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { asked } = await open([() => order(OrderState.OPEN)]);
  const again = page.getByRole("button", { name: "Check again" });
  for (let n = 1; again.elements().length === 0; n++) {
    expect(n).toBeLessThan(PAUSES_MS.length + 3);
    await vi.advanceTimersByTimeAsync(PAUSES_MS.at(-1) ?? 0);
  }
  expect(asked.order).toBe(PAUSES_MS.length + 1);
  expect(text(/^It’s taking longer than usual/).elements().length).toBe(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked.order).toBe(PAUSES_MS.length + 1);
  vi.useRealTimers();
  expect(await axeFaults()).toEqual([]);
  await again.click();
  await expect.poll(() => asked.order).toBe(PAUSES_MS.length + 2);
});

test("an order that was not paid says so, and leads to the basket", async () => {
  await open([() => order(OrderState.CLOSED)]);
  expect(page.getByText("While you’re here").elements()).toEqual([]);
  await expect.element(heading("This order wasn’t paid")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Go to your basket" }))
    .toHaveAttribute("href", "/basket");
  expect(await axeFaults()).toEqual([]);
});

test("a payment that cannot stand is being returned, and it says so", async () => {
  await open([() => order(OrderState.RETURNING)]);
  await expect.element(heading("We’re returning your payment")).toBeVisible();
  await expect.element(text(/refunding the whole amount to your card/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what a code made free and could not be given says that nothing was charged", async () => {
  const free = { total: anOrder("plan").total && { ...anOrder("plan").total!, amount: 0n } };
  await open([() => ({ ...order(OrderState.RETURNING), ...free })]);
  await expect.element(heading("You haven’t been charged")).toBeVisible();
  await expect.element(text(/goes back to your card/)).not.toBeInTheDocument();
  expect(await axeFaults()).toEqual([]);
});

test.for([
  ["of somebody else", `/order-success?order=${PLAN.id}`],
  ["that is missing in the address", "/order-success"],
])("an order %s is unknown, kindly, with the way to what was bought", async ([, path]) => {
  await open(
    [
      () => {
        throw failure(Code.NotFound, "No such order.", "ORDER_NOT_FOUND", "");
      },
    ],
    path,
  );
  await expect.element(heading("We can’t find this order")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "View Orders" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("where the order cannot be asked for it can be tried again", async () => {
  await open([
    () => {
      throw failure(Code.Internal, "Broken.", "INTERNAL", "");
    },
    () => order(OrderState.COMPLETED),
  ]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(heading("Order Successful!")).toBeVisible();
});
