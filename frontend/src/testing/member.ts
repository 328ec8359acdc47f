import type { Member } from "@/lib/boot";

/** A member in her trial, for tests. */
export const member = (more: Partial<Member> = {}): Member => ({
  uid: "0193f2c0-0000-7000-8000-000000000001",
  givenName: "Amara",
  familyName: "Lindqvist",
  email: "amara@lakehouse.example",
  plan: {
    id: "free-trial",
    name: "Free trial",
    endsAt: 1_800_000_000_000,
    active: true,
    trial: true,
    renews: false,
    graceUntil: 0,
    entitlements: ["generator", "library", "articles", "journey"],
  },
  credits: { plan: 3, topUp: 0, held: 0 },
  journeyCount: 20,
  admin: false,
  consentsMissing: false,
  analytics: false,
  ...more,
});
