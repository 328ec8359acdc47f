import { describe, expect, test } from "vitest";
import type { Member, Plan } from "@/lib/boot";
import { VISITOR } from "@/lib/boot";
import { mayOpen, navItems } from "./access";
import { ROUTES } from "./routes";

const trial: Plan = { id: "free-trial", name: "Free trial", endsAt: 1, active: true };
const member: Member = {
  uid: "u",
  givenName: "Amara",
  familyName: "Lindqvist",
  email: "amara@lakehouse.example",
  plan: trial,
  credits: { plan: 8, topUp: 0, held: 0 },
  journeyCount: 3,
  admin: false,
};
const signedIn = { member, serverTime: 0 };
const labels = (session: typeof signedIn | typeof VISITOR) => navItems(session).map((item) => item.label);

describe("who sees what", () => {
  test("visitors open public pages only, members all", () => {
    const closed = ROUTES.filter((route) => !mayOpen(route.access, VISITOR)).map((route) => route.path);
    expect(closed).toEqual(["/journey", "/journey/:id", "/members"]);
    expect(ROUTES.every((route) => mayOpen(route.access, signedIn))).toBe(true);
  });

  test("My Journey shows only with an active plan, with its count", () => {
    expect(labels(VISITOR)).toEqual(["Home", "Generator"]);
    expect(navItems(signedIn).at(-1)).toMatchObject({ label: "My Journey", count: 3 });
    const ended = { member: { ...member, plan: { ...trial, active: false } }, serverTime: 0 };
    expect(labels(ended)).toEqual(["Home", "Generator"]);
    expect(labels({ member: { ...member, plan: null }, serverTime: 0 })).toEqual(["Home", "Generator"]);
  });

  test("every page has a path and a title of its own", () => {
    expect(new Set(ROUTES.map((route) => route.path)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map((route) => route.title)).size).toBe(ROUTES.length);
  });
});
