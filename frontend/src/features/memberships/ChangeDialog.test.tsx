import type { ServiceImpl } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ChangePlanRequest, PreviewChangeRequest } from "@/gen/serein/web/v1/membership_pb";
import { ChangeLineKind, MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { CardAction, ShopService } from "@/gen/serein/web/v1/shop_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { onCore } from "@/testing/members-area";
import { MockBasket } from "@/testing/mock-basket";
import { aLine, aQuote, core, money } from "@/testing/mock-membership";
import { membershipsOnCore } from "@/testing/mock-shop";
import { axeFaults, show } from "@/testing/page";
import { topUps } from "@/testing/shop";
import { Memberships } from "./Memberships";

/** The page of memberships as a member on Core sees it, with the change to Premium asked for. */
async function open(answers: Partial<ServiceImpl<typeof MembershipService>>, path = "/memberships") {
  const shown = await show(
    <main>
      <Memberships />
    </main>,
    {
      member: onCore(),
      path,
      gateway: (router) => {
        new MockBasket().serve(router);
        router.service(ShopService, { getMemberships: membershipsOnCore, getTopUps: () => topUps() });
        router.service(MembershipService, { previewChange: () => ({ quote: aQuote() }), ...answers });
      },
    },
  );
  await page.getByRole("button", { name: "Change Plan: Premium" }).click();
  return shown;
}

const dialog = () => page.getByRole("dialog");
/** The lines of the sum, as they are read. */
const sums = (): string[] =>
  Array.from(dialog().element().querySelectorAll("dl > div"), (line) => line.textContent ?? "");
const pay = (name: string | RegExp = /^Pay/) => dialog().getByRole("button", { name });
const refuse = (code: Code, message: string, reason: Parameters<typeof failure>[2]) => () => {
  throw failure(code, message, reason, "");
};

test("the exact amount stands there before anything is changed, and by two presses it is changed once", async () => {
  const sent: ChangePlanRequest[] = [];
  const answer = gate();
  await open({
    changePlan: async (request) => {
      sent.push(request);
      await answer.passed;
      return { membership: core({ planName: "Premium" }) };
    },
  });
  await expect.element(dialog().getByRole("heading")).toHaveTextContent("Change to Premium?");
  await expect.element(dialog()).toHaveTextContent("your plan credits become 52.");
  expect(sums()).toEqual([
    "Premium23 of 30 days£9.96",
    "Core, not usedthe same 23 days−£6.13",
    "To pay today£3.83",
  ]);
  await expect
    .element(dialog())
    .toHaveTextContent("Next payment: £13.11 on 14 December 2026, Premium, monthly.");
  expect(await axeFaults()).toEqual([]);
  await pay("Pay £3.83 and change").dblClick();
  await expect.element(pay()).toHaveAttribute("aria-busy", "true");
  answer.open();
  await expect.element(dialog().getByRole("heading")).toHaveTextContent("You’re on Premium now");
  await expect
    .element(dialog().getByRole("status"))
    .toHaveTextContent("The next payment is £13.11 on 14 December 2026.");
  await expect.element(dialog().getByRole("button", { name: "Done" })).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  expect(sent).toHaveLength(1);
  const { at, charged } = aQuote();
  expect(sent[0]).toMatchObject({ planId: "calm-premium", period: "month", charged, at });
  await dialog().getByRole("button", { name: "Done" }).click();
  expect(dialog().elements()).toEqual([]);
  await expect.element(page.getByRole("region", { name: "Premium" })).toHaveFocus();
});

test("a change that loses the library and the articles says so beforehand", async () => {
  await open({});
  await expect.element(dialog()).toHaveTextContent("your plan credits become 52.");
  await expect.element(dialog()).not.toHaveTextContent("You lose the library");
  await dialog().getByRole("button", { name: "Not now" }).click();
  await page.getByRole("button", { name: "Change Plan: Generate" }).click();
  await expect.element(dialog()).toHaveTextContent("You lose the library and the articles straight away.");
});

test("a member who must first keep the membership or fix its payment sees a link to the Members Area", async () => {
  const waits = membershipsOnCore();
  for (const { monthly, yearly } of waits.plans)
    for (const offer of [monthly, yearly])
      if (offer?.action === CardAction.CHANGE) offer.action = CardAction.NONE;
  await show(
    <main>
      <Memberships />
    </main>,
    {
      member: onCore(),
      path: "/memberships",
      gateway: (router) => {
        new MockBasket().serve(router);
        router.service(ShopService, { getMemberships: () => waits, getTopUps: () => topUps() });
      },
    },
  );
  const first = page.getByText("To change plan, first keep your membership or fix its payment");
  await expect.element(first.getByRole("link", { name: "Members Area" })).toHaveAttribute("href", "/members");
  expect(page.getByRole("button", { name: /^Change Plan/ }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("the year is quoted as the year, and what is credited is said, with nothing to pay", async () => {
  const asked: PreviewChangeRequest[] = [];
  const sent: ChangePlanRequest[] = [];
  await open(
    {
      changePlan: (request) => {
        sent.push(request);
        return { membership: core({ planName: "Premium" }) };
      },
      previewChange: (request) => {
        asked.push(request);
        return {
          quote: aQuote({
            period: "year",
            charged: money(0),
            credited: money(613),
            next: money(13110),
            lines: [
              { ...aQuote().lines[0]!, amount: money(200), days: 365, periodDays: 365 },
              { ...aQuote().lines[1]!, amount: money(-813) },
            ],
          }),
        };
      },
    },
    "/memberships?period=year",
  );
  await expect.element(dialog().getByRole("button", { name: "Change plan" })).toBeVisible();
  expect(sums()).toEqual([
    "Premiumthe whole year£2.00",
    "Core, not used23 of 30 days−£8.13",
    "Credited to your next payments£6.13",
  ]);
  await expect
    .element(dialog())
    .toHaveTextContent("Nothing to pay today. Next payment: £131.10 on 14 December 2026, Premium, yearly.");
  await expect.element(dialog().getByRole("heading")).toHaveTextContent("Change to Premium, yearly?");
  expect(await axeFaults()).toEqual([]);
  expect(asked[0]).toMatchObject({ planId: "calm-premium", period: "year" });
  await dialog().getByRole("button", { name: "Change plan" }).click();
  await expect.element(dialog().getByRole("heading")).toHaveTextContent("You’re on Premium now");
  expect(sent[0]).toMatchObject({ charged: money(0), credited: money(613) });
});

test("what a balance pays, what was owed and what is too little to charge are lines of their own", async () => {
  const plan = aQuote().lines;
  const besides: [bigint, ChangeLineKind, number][] = [
    [0n, ChangeLineKind.BALANCE, -383],
    [403n, ChangeLineKind.BALANCE, 20],
    [0n, ChangeLineKind.WAITING, -383],
  ];
  const shown: string[][] = [];
  for (const [charged, kind, pence] of besides) {
    const lines = [...plan, aLine(kind, pence)];
    const { screen } = await open({
      previewChange: () => ({ quote: aQuote({ charged: money(Number(charged)), lines }) }),
    });
    await expect.element(dialog().getByText("To pay today")).toBeVisible();
    shown.push(sums().slice(2));
    await screen.unmount();
  }
  expect(shown).toEqual([
    ["From your balancewhat was credited to you before−£3.83", "To pay today£0.00"],
    ["Carried overan amount that was too small to charge before£0.20", "To pay today£4.03"],
    ["Too little to chargewe’ll add it to the next payment−£3.83", "To pay today£0.00"],
  ]);
});

test("an amount that nobody can explain is shown alone", async () => {
  await open({ previewChange: () => ({ quote: aQuote({ lines: [] }) }) });
  await expect.element(pay("Pay £3.83 and change")).toBeVisible();
  expect(sums()).toEqual(["To pay today£3.83"]);
});

test("the last day of a period is the same day", async () => {
  const [plan, unused] = aQuote().lines;
  const days = { days: 1, periodDays: 31 };
  await open({
    previewChange: () => ({
      quote: aQuote({
        lines: [
          { ...plan!, ...days },
          { ...unused!, ...days },
        ],
      }),
    }),
  });
  await expect.element(pay()).toBeVisible();
  expect(sums().slice(0, 2)).toEqual(["Premium1 of 31 days£9.96", "Core, not usedthe same day−£6.13"]);
});

test("without a line the dialog says so at once, and shows the amount by itself when it is back", async () => {
  let offline = false;
  const onLine = vi.spyOn(navigator, "onLine", "get").mockImplementation(() => !offline);
  await open({
    previewChange: () => {
      if (offline) throw new ConnectError("Failed to fetch", Code.Unknown);
      return { quote: aQuote() };
    },
  });
  await expect.element(pay()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  offline = true;
  window.dispatchEvent(new Event("offline"));
  await page.getByRole("button", { name: "Change Plan: Premium" }).click();
  await expect.element(dialog().getByText(/when the connection is back/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  offline = false;
  window.dispatchEvent(new Event("online"));
  await expect.element(pay("Pay £3.83 and change")).toBeVisible();
  onLine.mockRestore();
});

test("a changed amount brings a new quote that says so, and the plan does not change before a second press", async () => {
  let quoted = 0;
  const sent: ChangePlanRequest[] = [];
  await open({
    previewChange: () => ({ quote: aQuote(++quoted === 1 ? {} : { charged: money(379) }) }),
    changePlan: (request) => {
      sent.push(request);
      if (sent.length === 1) throw failure(Code.Aborted, "another", "VERSION_MISMATCH", "");
      return { membership: core({ planName: "Premium" }) };
    },
  });
  await pay("Pay £3.83 and change").click();
  await expect.element(dialog().getByText(/The amount has changed since you looked/)).toBeVisible();
  await pay("Pay £3.79 and change").click();
  await expect.element(dialog().getByRole("heading")).toHaveTextContent("You’re on Premium now");
  expect(sent.map(({ charged }) => charged?.amount)).toEqual([383n, 379n]);
  expect(new Set(sent.map((request) => request.idempotencyKey)).size).toBe(2);
});

test("an amount that could not be brought up to date is not agreed to", async () => {
  let asked = 0;
  await open({
    previewChange: () => {
      if (asked++ > 0) throw failure(Code.FailedPrecondition, "It is renewing.", "CHANGE_NOT_POSSIBLE", "");
      return { quote: aQuote() };
    },
    changePlan: refuse(Code.Aborted, "Another amount.", "VERSION_MISMATCH"),
  });
  await pay().click();
  await expect.element(dialog().getByRole("status")).toHaveTextContent("It is renewing.");
  expect(pay().elements()).toEqual([]);
  expect(sums()).toEqual([]);
});

test("a card that was refused leads to the card, and says what stands", async () => {
  const portal = vi.fn<() => never>(() => {
    throw failure(Code.Internal, "no", "INTERNAL", "");
  });
  await open({
    changePlan: refuse(Code.FailedPrecondition, "The card was refused.", "CHANGE_NOT_PAID"),
    openPortal: portal,
  });
  await pay().click();
  await expect
    .element(dialog().getByRole("alert"))
    .toHaveTextContent(
      "Failed to switch subscription. Your card was declined. You’re still on Core, and you haven’t been charged.",
    );
  expect(await axeFaults()).toEqual([]);
  await dialog().getByRole("button", { name: "Update your card" }).click();
  await expect.poll(() => portal.mock.calls.length).toBe(1);
});

test("a change that failed says so and what stands; one of which nobody heard is sent again by its own key", async () => {
  const keys: string[] = [];
  let failing: Code = Code.Internal;
  await open({
    changePlan: ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      throw new ConnectError("no", failing);
    },
  });
  await pay().click();
  await expect
    .element(dialog().getByRole("alert"))
    .toHaveTextContent(
      /^Failed to switch subscription\..*You’re still on Core, and you haven’t been charged\.$/,
    );
  failing = Code.DeadlineExceeded;
  await pay().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("you can’t be charged twice");
  await pay().click();
  await expect.poll(() => keys.length).toBeGreaterThan(4);
  const [first, ...others] = keys;
  expect(new Set(others)).toHaveLength(1);
  expect(others).not.toContain(first);
});

test("a change that is not possible says why, and where that is seen to", async () => {
  const why = "Credits that would be paid back are spent.";
  await open({ previewChange: refuse(Code.FailedPrecondition, why, "CHANGE_NOT_POSSIBLE") });
  await expect.element(dialog().getByText(why)).toBeVisible();
  await expect
    .element(dialog().getByRole("link", { name: "Members Area" }))
    .toHaveAttribute("href", "/members");
  expect(pay().elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("a change that became impossible before it was confirmed is said to have failed, and why", async () => {
  await open({ changePlan: refuse(Code.FailedPrecondition, "Credits are spent.", "CHANGE_NOT_POSSIBLE") });
  await pay().click();
  await expect.element(dialog().getByText("Failed to switch subscription. Credits are spent.")).toBeVisible();
});

test("a plan that another tab has changed to is said to be one's own", async () => {
  await open({ changePlan: refuse(Code.FailedPrecondition, "It is yours.", "MEMBERSHIP_CURRENT") });
  await pay().click();
  await expect.element(dialog().getByText("You already have this membership.")).toBeVisible();
});

test("an amount that did not come can be asked for again, and Escape leaves everything as it is", async () => {
  let broken = true;
  await open({
    previewChange: () => {
      if (broken) throw new ConnectError("broken", Code.Internal);
      return { quote: aQuote() };
    },
  });
  broken = false;
  await dialog().getByRole("button", { name: "Try again" }).click();
  await expect.element(pay()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(dialog().elements()).toEqual([]);
  await expect.element(page.getByRole("button", { name: "Change Plan: Premium" })).toHaveFocus();
});
