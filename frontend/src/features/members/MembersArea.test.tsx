import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { GetMembershipResponse, Membership } from "@/gen/serein/web/v1/membership_pb";
import { CancellationReason, MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import type { Member } from "@/lib/boot";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { member } from "@/testing/member";
import { onCore, panel, showMembership } from "@/testing/members-area";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { answerOf, core, onTrial } from "@/testing/mock-membership";
import { axeFaults } from "@/testing/page";
import { MembersArea } from "./MembersArea";

const open = (
  membership: () => GetMembershipResponse = () => answerOf(),
  more: Parameters<typeof showMembership>[2] = {},
) => showMembership(<MembersArea member={more.who ?? onCore()} />, membership, more);

const subscription = () => panel("My Subscription");
const button = (name: string) => page.getByRole("button", { name });
const day = (month: number, date: number) => timestampFromMs(Date.UTC(2026, month - 1, date, 12));

const CANCELLING = core({ status: MembershipStatus.CANCELLING });
const GRACE = core({
  status: MembershipStatus.GRACE,
  failedAt: day(11, 14),
  nextAttempt: day(11, 24),
  accessUntil: timestampFromMs(Date.now() + 6.5 * 86_400_000),
});

afterEach(() => vi.restoreAllMocks());

test("a membership that goes on says its price, when it renews, its card, and whose it is", async () => {
  await open();
  for (const row of [
    "PlanCore, monthly",
    "Renews14 December, £8.11",
    "Cardending 4242",
    "amara@lakehouse.example",
  ])
    await expect.element(subscription()).toHaveTextContent(row);
  await expect
    .element(subscription().getByRole("link", { name: "Change Plan" }))
    .toHaveAttribute("href", "/memberships");
  await expect.element(panel("Cancel Membership")).toBeVisible();
  expect(panel("Your free trial").elements()).toEqual([]);
  await expect.element(page.getByRole("table")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a year is a year, and what is a year off names its own", async () => {
  const endsAt = timestampFromMs(Date.UTC(new Date().getUTCFullYear() + 1, new Date().getUTCMonth(), 14, 12));
  const year = new Date().getUTCFullYear() + 1;
  await open(() => answerOf(core({ period: "year", endsAt })));
  await expect.element(subscription()).toHaveTextContent("PlanCore, yearly");
  await expect.element(subscription()).toHaveTextContent(`${year}, £8.11`);
  await expect
    .element(panel("Meditation credits"))
    .toHaveTextContent(`${year}. Top-up credits never expire.`);
  await button("Cancel at the period’s end").click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent(`${year}. You can change your mind`);
});

test("the beginning of a paid period is not said to be that of the membership", async () => {
  await open();
  await expect.element(subscription()).toHaveTextContent("Core, monthly");
  await expect.element(subscription()).not.toHaveTextContent("Began");
});

test("both pools stand there, with what is left of the period's credits and when they are replaced", async () => {
  await open(undefined, { who: onCore({ credits: { plan: 14, topUp: 20, held: 2 } }) });
  const credits = panel("Meditation credits");
  await expect.element(credits).toHaveTextContent("34credits, and 2 reserved");
  await expect.element(credits).toHaveTextContent("Plan14 of 21");
  await expect.element(credits).toHaveTextContent("Top-up20");
  await expect.element(credits).toHaveTextContent("replaced on 14 December");
});

test("after a change of plan the credits are of what it gave, not of what the plan gives a period", async () => {
  const changed = core({ planName: "Premium", periodCredits: 62n, grantedCredits: 59n });
  await open(() => answerOf(changed), { who: onCore({ credits: { plan: 59, topUp: 20, held: 0 } }) });
  const credits = panel("Meditation credits");
  await expect.element(credits).toHaveTextContent("Plan59 of 59");
  await button("Cancel at the period’s end").click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("62 new credits a month close");
});

test("what was held during a change and came back is more than it gave, and is of nothing", async () => {
  const changed = core({ periodCredits: 62n, grantedCredits: 57n });
  await open(() => answerOf(changed), { who: onCore({ credits: { plan: 59, topUp: 20, held: 0 } }) });
  await expect.element(panel("Meditation credits")).toHaveTextContent("Plan59Top-up20");
});

test("who is in the trial sees its countdown, and nothing to cancel", async () => {
  await open(() => answerOf(onTrial(), { hasCard: false, purchased: [] }), { who: member() });
  await expect.element(panel("Your free trial").getByRole("timer")).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("PlanFree trial");
  await expect.element(panel("Pass it on")).toBeVisible();
  expect(panel("Cancel Membership").elements()).toEqual([]);
  expect(button("Update your card").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("a trial that is over says so, and leads to the memberships", async () => {
  const over: Membership = { ...onTrial(), status: MembershipStatus.ENDED };
  await open(() => answerOf(over, { hasCard: false }), { who: member() });
  await expect.element(panel("Your free trial")).toHaveTextContent("Your trial has ended");
  await expect
    .element(panel("Your free trial").getByRole("link", { name: "Choose a membership" }))
    .toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Ended14 December 2026");
});

test("a member without a plan yet sees that it takes a moment", async () => {
  await open(() => answerOf(core({ status: MembershipStatus.UNSPECIFIED })), { who: member({ plan: null }) });
  await expect.element(panel("Your free trial")).toHaveTextContent("It takes a moment");
  await expect.element(subscription()).toHaveTextContent("PlanNone yet");
});

test("a membership that has ended says when, what stays and the way back, and has nothing to cancel", async () => {
  await open(() => answerOf(core({ status: MembershipStatus.ENDED })));
  const ended = panel("Your membership has ended");
  await expect.element(ended).toHaveTextContent("It ran until 14 December 2026.");
  await expect.element(ended).toHaveTextContent("everything you’ve made and your 20 top-up credits.");
  await expect.element(ended.getByRole("link", { name: "Choose a membership" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await expect.element(subscription()).toHaveTextContent("Ended14 December 2026");
  await expect.element(subscription().getByRole("link", { name: "Change Plan" })).toBeVisible();
  await expect
    .element(subscription().getByRole("link", { name: "Everything you’ve made" }))
    .toHaveAttribute("href", "/journey");
  expect(panel("Cancel Membership").elements()).toEqual([]);
  await expect.element(panel("Meditation credits")).not.toHaveTextContent("Top-up20");
});

test("a payment that failed says how much, until when all is open and when it is tried again, and leads to the card", async () => {
  let asked = 0;
  await open(() => answerOf(GRACE), {
    answers: {
      openPortal: () => {
        asked++;
        throw failure(Code.Unavailable, "away", "PAYMENT_PROVIDER_UNAVAILABLE", "");
      },
    },
  });
  const grace = panel("Your last payment didn’t go through");
  await expect.element(grace).toHaveTextContent("£8.11 on 14 November with the card ending 4242.");
  await expect.element(grace).toHaveTextContent("we’ll try again on 24 November");
  await expect.element(grace.getByRole("timer", { name: "7 days left" })).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("PaymentCard declined");
  await expect.element(panel("Cancel Membership")).toHaveTextContent("It ends straight away");
  expect(await axeFaults()).toEqual([]);
  await grace.getByRole("button", { name: "Update your card" }).click();
  await expect.element(grace.getByRole("alert")).toHaveTextContent("Your card wasn’t changed.");
  expect(asked).toBeGreaterThan(0);
});

/** Comes back from the card's page, and the card becomes what `takeCard` answers. */
async function comesBack(takeCard: () => { membership: Membership }, until = Promise.resolve()) {
  let asked = 0;
  let stands = GRACE;
  await open(() => answerOf(stands), {
    path: "/members?card=given",
    answers: {
      takeCard: async () => {
        asked++;
        await until;
        const answer = takeCard();
        stands = answer.membership;
        return answer;
      },
    },
  });
  await expect.poll(() => asked).toBe(1);
  await expect.poll(() => window.location.search).toBe("");
  return () => asked;
}

test("who comes back with another card sees that it is paid, and asks for it once", async () => {
  const asked = await comesBack(() => ({ membership: core({ cardLast4: "4444" }) }));
  await expect.element(page.getByText("Core is paid with the card ending 4444.")).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Cardending 4444");
  expect(panel("Your last payment didn’t go through").elements()).toEqual([]);
  expect(asked()).toBe(1);
  expect(await axeFaults()).toEqual([]);
});

test("while what came of a card is waited for, the page says so", async () => {
  const answer = gate();
  await comesBack(() => ({ membership: core({ cardLast4: "4444" }) }), answer.passed);
  await expect.element(page.getByText("We’re checking your new card.")).toBeVisible();
  answer.open();
  await expect.element(page.getByText("Core is paid with the card ending 4444.")).toBeVisible();
});

test("another card that is declined too is named, and everything stays as it was", async () => {
  await comesBack(() => ({ membership: { ...GRACE, cardLast4: "0341" } }));
  await expect.element(page.getByText("The card ending 0341 was declined.")).toBeVisible();
  await expect
    .element(panel("Your last payment didn’t go through"))
    .toHaveTextContent("with the card ending 0341");
});

test("what came of a card is asked for once more, and may not be known yet", async () => {
  const asked = await comesBack(() => {
    throw failure(Code.Unavailable, "away", "PAYMENT_PROVIDER_UNAVAILABLE", "");
  });
  await expect.poll(asked).toBe(2);
  await expect.element(page.getByText("We don’t know yet whether your card works.")).toBeVisible();
  await expect.element(panel("Your last payment didn’t go through")).toBeVisible();
});

test("a return from the card page without a membership says nothing about the card", async () => {
  await comesBack(() => {
    throw failure(Code.NotFound, "none", "SUBSCRIPTION_NOT_FOUND", "");
  });
  await expect.element(subscription()).toBeVisible();
  expect(page.getByText("We don’t know yet whether your card works.").elements()).toEqual([]);
});

test("cancelling asks first, says what stays and what closes, and shows the end at once, by two presses only once", async () => {
  const sent: CancellationReason[] = [];
  let stands = core();
  await open(() => answerOf(stands), {
    answers: {
      cancelMembership: ({ reason }) => {
        sent.push(reason);
        stands = CANCELLING;
        return { membership: stands };
      },
    },
  });
  await button("Cancel at the period’s end").click();
  const dialog = page.getByRole("dialog", { name: "Cancel at the period’s end?" });
  await expect.element(dialog).toHaveTextContent("Core runs until 14 December");
  await expect.element(dialog).toHaveTextContent("your 20 top-up credits");
  await expect
    .element(dialog)
    .toHaveTextContent("The library, the articles and 21 new credits a month close on 14 December.");
  const why = dialog.getByRole("group", { name: "If you’d like to say why (you don’t have to)" });
  expect(why.getByRole("radio", { checked: true }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel Membership" }).dblClick();
  const ends = panel("Your membership ends on 14 December");
  await expect.element(ends.getByRole("button", { name: "Keep my membership" })).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Ends14 December");
  await expect.element(subscription()).toHaveTextContent("not charged again");
  expect(page.getByRole("dialog").elements()).toEqual([]);
  expect(panel("Cancel Membership").elements()).toEqual([]);
  const said = page.getByText(/one click keeps it/);
  await expect.element(said).toBeVisible();
  expect(document.activeElement?.contains(said.element())).toBe(true);
  expect(sent).toEqual([CancellationReason.UNSPECIFIED]);
  expect(await axeFaults()).toEqual([]);
});

test("who would like to say why chooses one of three, and may think again", async () => {
  const sent: CancellationReason[] = [];
  await open(undefined, {
    answers: {
      cancelMembership: ({ reason }) => {
        sent.push(reason);
        throw new ConnectError("away", Code.Unavailable);
      },
    },
  });
  await button("Cancel at the period’s end").click();
  const dialog = page.getByRole("dialog");
  const cancel = async (times: number) => {
    await dialog.getByRole("button", { name: "Cancel Membership" }).click();
    await expect.poll(() => sent.length).toBe(times);
  };
  await dialog.getByRole("radio", { name: "It costs too much at the moment" }).click();
  await cancel(1);
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await expect.element(dialog.getByRole("radio", { name: "It costs too much at the moment" })).toBeChecked();
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Shift>}{Tab}{Tab}{/Shift}{ArrowDown}");
  await expect.element(dialog.getByRole("radio", { name: "I’m not using it enough" })).toBeChecked();
  await cancel(2);
  await dialog.getByRole("radio", { name: "Something else" }).click();
  await cancel(3);
  expect(sent).toEqual([
    CancellationReason.TOO_EXPENSIVE,
    CancellationReason.UNUSED,
    CancellationReason.OTHER,
  ]);
});

test("who ends what was not paid is not asked why", async () => {
  let stands = GRACE;
  await open(() => answerOf(stands), {
    answers: {
      cancelMembership: () => {
        stands = core({ status: MembershipStatus.ENDED });
        return { membership: stands };
      },
    },
  });
  await button("End my membership").click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toHaveTextContent("it ends straight away");
  await expect.element(dialog).toHaveTextContent("a month close now.");
  expect(dialog.getByRole("radio").elements()).toEqual([]);
  await dialog.getByRole("button", { name: "End my membership" }).click();
  await expect.element(page.getByText("Your membership has ended. You keep what you’ve made.")).toBeVisible();
});

test("one press keeps it, and the page says so at once", async () => {
  let kept = 0;
  let stands = CANCELLING;
  await open(() => answerOf(stands), {
    answers: {
      keepMembership: () => {
        kept++;
        stands = core();
        return { membership: stands };
      },
    },
  });
  await button("Keep my membership").dblClick();
  await expect.element(page.getByText("Core carries on. The next payment is on 14 December.")).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Renews14 December, £8.11");
  await expect.element(panel("Cancel Membership")).toBeVisible();
  expect(kept).toBe(1);
});

test("the dialog that is left changes nothing, by keyboard too", async () => {
  let cancelled = 0;
  await open(undefined, { answers: { cancelMembership: () => ({ membership: (cancelled++, CANCELLING) }) } });
  await button("Cancel at the period’s end").click();
  const keep = page.getByRole("dialog").getByRole("button", { name: "Keep my membership" });
  await expect.element(keep).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(page.getByRole("dialog").elements()).toEqual([]);
  await expect.element(button("Cancel at the period’s end")).toHaveFocus();
  expect(cancelled).toBe(0);
});

test("what was not cancelled or kept says what stands, and what may have been says that as well", async () => {
  const refused = failure(Code.Internal, "no", "INTERNAL", "");
  const answers = {
    cancelMembership: () => {
      throw refused;
    },
    keepMembership: () => {
      throw refused;
    },
  };
  const first = await open(undefined, { answers });
  await button("Cancel at the period’s end").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel Membership" }).click();
  await expect
    .element(page.getByRole("dialog").getByRole("alert"))
    .toHaveTextContent("Your membership wasn’t cancelled; it carries on as before.");
  await first.screen.unmount();
  const second = await open(() => answerOf(CANCELLING), { answers });
  await button("Keep my membership").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("We couldn’t keep it: it still ends on 14 December.");
  await second.screen.unmount();
  const lost = {
    cancelMembership: () => {
      throw new ConnectError("away", Code.Unavailable);
    },
  };
  await open(undefined, { answers: lost });
  await button("Cancel at the period’s end").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel Membership" }).click();
  await expect
    .element(page.getByRole("dialog").getByRole("alert"))
    .toHaveTextContent("We don’t know whether it was cancelled");
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel Membership" }).click();
  await expect.element(page.getByRole("dialog").getByRole("alert")).toHaveTextContent("You’re offline");
  online.mockRestore();
});

test("a tab that is looked at again shows what another tab has changed", async () => {
  let stands = core();
  await open(() => answerOf(stands));
  await expect.element(panel("Cancel Membership")).toBeVisible();
  stands = CANCELLING;
  window.dispatchEvent(new Event("visibilitychange"));
  await expect.element(panel("Your membership ends on 14 December")).toBeVisible();
});

test("without answers what the session knows stays, it is said what is missing, and each is asked for once", async () => {
  let asked = 0;
  const broken = () => {
    asked++;
    throw new ConnectError("broken", Code.Internal);
  };
  const basket = new MockBasket();
  basket.answer = broken;
  const who: Member = member();
  await open(broken, { who, basket, answers: { listLedger: broken } });
  await expect.element(subscription().getByRole("alert")).toBeVisible();
  await expect.element(subscription()).toHaveTextContent("Free trial");
  await expect.element(panel("Purchased Items").getByRole("alert")).toBeVisible();
  await expect.element(panel("My Basket").getByRole("alert")).toBeVisible();
  await expect.element(panel("Meditation credits").getByRole("alert")).toBeVisible();
  await expect.element(panel("Pass it on")).toHaveTextContent("We can’t show your code");
  await expect.element(panel("Emails")).toHaveTextContent("We can’t show which emails");
  expect(await axeFaults()).toEqual([]);
  expect(asked).toBe(3);
});

test("the basket and what waits stand there with size, number, price and day", async () => {
  const basket = new MockBasket([lineFor("socks", "4 to 7", { quantity: 2 })], [lineFor("tee", "M")]);
  await open(() => answerOf(onTrial(), { purchased: [] }), { who: member(), basket });
  const mine = panel("My Basket");
  await expect.element(mine).toHaveTextContent("Rain socksSize 4 to 7, quantity 2, in your basket£12.11");
  await expect.element(mine).toHaveTextContent("The leaning pine tee");
  await expect
    .element(mine.getByRole("link", { name: "Open the basket" }))
    .toHaveAttribute("href", "/basket");
  await expect.element(panel("Purchased Items")).toHaveTextContent("Nothing yet.");
});

test("what was bought is listed, a renewal as one, with the way to its receipts", async () => {
  await open();
  const bought = panel("Purchased Items");
  await expect.element(bought).toHaveTextContent("Core membership, renewalMonthly, 23 November 2026£8.11");
  await expect.element(bought).toHaveTextContent("Rain socksSize 4 to 7, quantity 2, 16 November 2026£12.11");
  await expect
    .element(bought.getByRole("link", { name: "Orders and receipts" }))
    .toHaveAttribute("href", "/orders");
  await expect.element(panel("My Basket")).toHaveTextContent("Your basket is empty.");
});
