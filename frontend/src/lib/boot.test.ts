import { describe, expect, test } from "vitest";
import { readBoot, VISITOR } from "./boot";

const member = {
  uid: "0193f2c0-0000-7000-8000-000000000001",
  givenName: "Amara",
  familyName: "Lindqvist",
  email: "amara@lakehouse.example",
  plan: {
    id: "free-trial",
    name: "Free trial",
    kind: "PLAN_KIND_TRIAL",
    endsAt: "2026-11-28T19:04:00Z",
    active: true,
    entitlements: ["generator", "journey"],
  },
  credits: { plan: "8" },
  journeyCount: 3,
};

describe("boot data", () => {
  test("reads a member from protobuf's JSON, where int64 are strings and zeros are left out", () => {
    const { kind: _, ...plan } = member.plan;
    const trialOffer = { days: 5, invitedDays: 9, credits: "3" };
    const serverTime = "2026-11-21T19:04:00.250Z";
    const termsVersion = "terms 2026-10-01, privacy 2026-10-20";
    const boot = readBoot(JSON.stringify({ member, serverTime, trialOffer, termsVersion }));
    expect(boot).toEqual({
      serverTime: Date.UTC(2026, 10, 21, 19, 4, 0, 250),
      member: {
        ...member,
        plan: { ...plan, trial: true, endsAt: Date.UTC(2026, 10, 28, 19, 4), renews: false, graceUntil: 0 },
        credits: { plan: 8, topUp: 0, held: 0 },
        admin: false,
        consentsMissing: false,
        analytics: false,
      },
      trialOffer: { days: 5, invitedDays: 9, credits: 3 },
      termsVersion,
    });
  });

  test("a paid plan says whether it renews, and until when it stays open after a payment that failed", () => {
    const plan = {
      ...member.plan,
      kind: "PLAN_KIND_MEMBER",
      renews: true,
      graceUntil: "2026-12-12T19:04:00Z",
    };
    const boot = readBoot(JSON.stringify({ member: { ...member, plan } }));
    expect(boot.member?.plan).toMatchObject({ renews: true, graceUntil: Date.UTC(2026, 11, 12, 19, 4) });
  });

  test("a member whose trial has not started has no plan", () => {
    const { plan: _, ...newcomer } = member;
    expect(readBoot(JSON.stringify({ member: newcomer })).member?.plan).toBeNull();
  });

  test.each([
    undefined,
    null,
    "",
    "null",
    "{",
    "[]",
    "7",
    '{"member":null}',
    '{"member":{}}',
    '{"member":"x"}',
  ])("anything else is a visitor: %s", (source) => {
    expect(readBoot(source).member).toBeNull();
  });

  test("the page without a gateway is a visitor's", () => {
    expect(readBoot("null")).toEqual(VISITOR);
  });

  test("numbers that are none count as 0", () => {
    const odd = { ...member, credits: { plan: "many", topUp: 2.9, held: {} }, journeyCount: "NaN" };
    expect(readBoot(JSON.stringify({ member: odd })).member).toMatchObject({
      credits: { plan: 0, topUp: 2, held: 0 },
      journeyCount: 0,
    });
  });
});
