import { describe, expect, test } from "vitest";
import type { Session } from "@/lib/boot";
import { VISITOR } from "@/lib/boot";
import { member } from "@/testing/member";
import { accessInManifest, mayOpen, navItems } from "./access";
import { ROUTES } from "./routes";

const amara = member({ journeyCount: 3 });
const signedIn: Session = { ...VISITOR, member: amara };
const labels = (session: Session) => navItems(session).map((item) => item.label);

describe("who sees what", () => {
  test("visitors open public pages only, members all", () => {
    const closed = ROUTES.filter((route) => !mayOpen(route.access, VISITOR)).map((route) => route.path);
    expect(closed).toEqual(["/journey", "/journey/:id", "/members"]);
    expect(ROUTES.every((route) => mayOpen(route.access, signedIn))).toBe(true);
  });

  test("My Journey shows to those whose plan has it now, with its count", () => {
    expect(labels(VISITOR)).toEqual(["Home", "Bespoke Meditation Generator"]);
    expect(navItems(signedIn).at(-1)).toMatchObject({ label: "My Journey", count: 3 });
    const ended = amara.plan && { ...amara.plan, active: false, entitlements: [] };
    expect(labels({ ...VISITOR, member: { ...amara, plan: ended } })).toEqual([
      "Home",
      "Bespoke Meditation Generator",
    ]);
    const without = amara.plan && { ...amara.plan, active: true, entitlements: ["generator"] };
    expect(labels({ ...VISITOR, member: { ...amara, plan: without } })).toEqual([
      "Home",
      "Bespoke Meditation Generator",
    ]);
    expect(labels({ ...VISITOR, member: { ...amara, plan: null } })).toEqual([
      "Home",
      "Bespoke Meditation Generator",
    ]);
  });

  test("the gateway's list names what subscribers need", () => {
    expect(accessInManifest({ subscriber: "library" })).toEqual({
      access: "subscriber",
      entitlement: "library",
    });
    expect(accessInManifest("admin")).toEqual({ access: "admin" });
  });

  test("every page has a path and a title of its own", () => {
    expect(new Set(ROUTES.map((route) => route.path)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map((route) => route.title)).size).toBe(ROUTES.length);
  });
});
