import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type {
  ChangeLine,
  ChangeQuote,
  GetMembershipResponse,
  LedgerRow,
  Membership,
} from "@/gen/serein/web/v1/membership_pb";
import {
  ChangeLineKind,
  ChangeLineSchema,
  ChangeQuoteSchema,
  GetMembershipResponseSchema,
  LedgerPool,
  LedgerRowSchema,
  LettersSchema,
  MembershipSchema,
  MembershipService,
  MembershipStatus,
} from "@/gen/serein/web/v1/membership_pb";
import { MoneySchema } from "@/gen/serein/web/v1/shop_pb";
import { booted } from "./booted";
import { failure } from "./failure";
import { gbp } from "./shop";

/** A membership from memory. `?plan=cancelling`, `grace` and `ended` are those of a member on Core; `god` is an admin's. */

const day = (month: number, date: number) => timestampFromMs(Date.UTC(2026, month - 1, date, 12));
const inDays = (n: number) => timestampFromMs(Date.now() + n * 86_400_000);

export const money = (pence: number) => create(MoneySchema, gbp(pence));

const CORE = {
  status: MembershipStatus.ACTIVE,
  planId: "calm-core",
  planName: "Core",
  period: "month",
  price: gbp(811),
  startsAt: day(11, 14),
  endsAt: day(12, 14),
  accessUntil: day(12, 28),
  cardLast4: "4242",
  periodCredits: 21n,
  grantedCredits: 21n,
};

const INVITATION = {
  code: "AMARA-7K2F",
  url: "https://serein.example/signup?invite=AMARA-7K2F",
  trialDays: 9,
  reward: 6n,
  invited: 2,
  rewarded: 1,
  credits: 6n,
};

const PURCHASED = [
  {
    orderId: "c",
    name: "Core",
    size: "month",
    quantity: 1,
    price: gbp(811),
    cause: "renewal",
    purchasedAt: day(11, 23),
  },
  { orderId: "a", name: "61 credits", size: "", quantity: 1, price: gbp(1511), purchasedAt: day(11, 21) },
  {
    orderId: "b",
    name: "Rain socks",
    size: "4 to 7",
    quantity: 2,
    price: gbp(1211),
    purchasedAt: day(11, 16),
  },
];

/** The membership of somebody on Core by the month, with `more` of it. */
export const core = (more: Partial<Membership> = {}): Membership =>
  Object.assign(create(MembershipSchema, CORE), more);

export const onTrial = (): Membership => {
  const { price: _, ...free } = core({
    status: MembershipStatus.TRIAL,
    planId: "free-trial",
    planName: "Free trial",
    period: "",
    trial: true,
    cardLast4: "",
    periodCredits: 3n,
    grantedCredits: 3n,
  });
  return free;
};

/** The answer that the Members Area gets: on Core, with a card, purchases, an invitation and letters. */
export const answerOf = (
  membership: Membership = core(),
  more: Partial<GetMembershipResponse> = {},
): GetMembershipResponse =>
  Object.assign(
    create(GetMembershipResponseSchema, {
      membership,
      hasCard: true,
      purchased: PURCHASED,
      invitation: INVITATION,
      letters: { reminders: true },
    }),
    more,
  );

const row = (title: string, more: Partial<LedgerRow>): LedgerRow =>
  Object.assign(create(LedgerRowSchema, { title, pool: LedgerPool.PLAN }), more);

/** One entry of each kind, the newest first. */
export const someRows = (): LedgerRow[] => [
  row("After the long meeting", {
    id: "7",
    time: inDays(0),
    detail: "Reserved while it’s being made",
    held: 2n,
    balance: 34n,
  }),
  row("A friend joined with your code", {
    id: "6",
    time: inDays(-2),
    detail: "6 for each of you, and they never expire",
    change: 6n,
    balance: 36n,
    pool: LedgerPool.TOP_UP,
  }),
  row("Rest before the interview", {
    id: "5",
    time: inDays(-3),
    detail: "Could not be made, so 2 were released",
    balance: 30n,
  }),
  row("Sunday, all of it", {
    id: "4",
    time: inDays(-4),
    detail: "Immersive",
    change: -2n,
    balance: 30n,
    pool: LedgerPool.BOTH,
    meditationId: "0193f2c0-0000-7000-8000-0000000000aa",
  }),
  row("Exam week", {
    id: "3",
    time: inDays(-5),
    detail: "Voice only",
    change: -1n,
    balance: 32n,
    meditationId: "0193f2c0-0000-7000-8000-0000000000ab",
  }),
  row("Core renewed", {
    id: "2",
    time: inDays(-7),
    detail: "2 unused plan credits were replaced with 21",
    change: 19n,
    balance: 33n,
  }),
  row("61 credits", {
    id: "1",
    time: day(1, 9),
    detail: "Top-up",
    change: 61n,
    balance: 14n,
    pool: LedgerPool.TOP_UP,
  }),
];

/** So many entries, page by page. */
export function pagesOf(rows: readonly LedgerRow[], size: number) {
  return ({ pageToken }: { pageToken: string }) => {
    const from = Number(pageToken || 0);
    const next = from + size;
    return { rows: rows.slice(from, next), nextPageToken: next < rows.length ? String(next) : "" };
  };
}

/** The same entries again and again. */
export const manyRows = (times: number): LedgerRow[] =>
  Array.from({ length: times }, (_, n) =>
    someRows().map((entry) => ({ ...entry, id: `${n}-${entry.id}` })),
  ).flat();

/** A line of a quote that is of no plan. */
export const aLine = (kind: ChangeLineKind, pence: number): ChangeLine =>
  create(ChangeLineSchema, { kind, amount: gbp(pence) });

/** What changing to Premium costs. */
export const aQuote = (more: Partial<ChangeQuote> = {}): ChangeQuote =>
  Object.assign(
    create(ChangeQuoteSchema, {
      planId: "calm-premium",
      planName: "Premium",
      period: "month",
      charged: gbp(383),
      next: gbp(1311),
      nextChargeAt: day(12, 14),
      planCredits: 52n,
      at: day(11, 21),
      lines: [
        { kind: ChangeLineKind.PLAN, planName: "Premium", amount: gbp(996), days: 23, periodDays: 30 },
        { kind: ChangeLineKind.UNUSED, planName: "Core", amount: gbp(-613), days: 23, periodDays: 30 },
      ],
    }),
    more,
  );

const param = (name: string): string =>
  typeof window === "undefined" ? "" : (new URLSearchParams(window.location.search).get(name) ?? "");

/** `?quote=credited` and `balance` are changes that cost nothing now, `waiting` never comes; `?fails=yes` is what fails after that. */
function quotes(): Partial<ChangeQuote> {
  const [plan, unused] = aQuote().lines;
  if (!plan || !unused) return {};
  const scenes: Record<string, Partial<ChangeQuote>> = {
    credited: {
      charged: money(0),
      credited: money(613),
      next: money(698),
      lines: [
        { ...plan, amount: money(613) },
        { ...unused, amount: money(-1226) },
      ],
    },
    balance: {
      charged: money(0),
      lines: [plan, unused, aLine(ChangeLineKind.BALANCE, -383)],
    },
  };
  return scenes[param("quote")] ?? {};
}

/** What the address asks for, else what the session says. */
function asked() {
  const mine = booted()?.member?.plan;
  const scenes: Record<string, Partial<Membership>> = {
    cancelling: { status: MembershipStatus.CANCELLING, endsAt: inDays(23) },
    grace: {
      status: MembershipStatus.GRACE,
      failedAt: inDays(-7),
      nextAttempt: inDays(3),
      accessUntil: inDays(7),
    },
    ended: { status: MembershipStatus.ENDED, endsAt: inDays(-3) },
  };
  if (mine?.kind === "PLAN_KIND_TRIAL")
    return { ...onTrial(), endsAt: timestampFromMs(Date.parse(mine.endsAt)) };
  return core(scenes[param("plan")] ?? {});
}

export function mockMembership(router: ConnectRouter): void {
  let membership = asked();
  let letters = create(LettersSchema, { reminders: true, suppressed: param("letters") === "back" });
  const become = (more: Partial<Membership>) => {
    membership = core(more);
    return { membership };
  };
  router.service(MembershipService, {
    getMembership: () =>
      answerOf(membership, {
        letters,
        hasCard: !membership.trial,
        ...(membership.trial && { purchased: [] }),
        godControls: param("god") !== "",
      }),
    listLedger: (request) => pagesOf(param("ledger") === "none" ? [] : manyRows(20), 40)(request),
    openPortal: () => ({ url: "/test-payment" }),
    takeCard: () => become({ cardLast4: "4444" }),
    previewChange: () => (param("quote") === "waiting" ? new Promise(() => {}) : { quote: aQuote(quotes()) }),
    changePlan: () => {
      if (param("fails")) throw failure(Code.FailedPrecondition, "Refused.", "CHANGE_NOT_PAID", "");
      return become({ planId: "calm-premium", planName: "Premium", price: money(1311) });
    },
    cancelMembership: () => {
      if (param("fails")) throw new ConnectError("away", Code.Unavailable);
      return become({ status: MembershipStatus.CANCELLING, endsAt: inDays(23) });
    },
    keepMembership: () => become({}),
    inviteFriend: ({ name }) => {
      if (name === "nobody home") throw new ConnectError("no", Code.Internal);
      return {};
    },
    setLetters: (request) => {
      letters = { ...letters, ...request.letters, suppressed: letters.suppressed };
      return { letters };
    },
    resetToTrial: () => ({ membership: onTrial() }),
    endPlan: () => become({ status: MembershipStatus.ENDED }),
  });
}
