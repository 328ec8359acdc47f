import { describe, expect, test } from "vitest";
import type { Session } from "@/lib/boot";
import { VISITOR } from "@/lib/boot";
import { member } from "@/testing/member";
import { accessInManifest, mayOpen, navItems } from "./access";
import { ROUTES } from "./routes";

const amara = member({ journeyCount: 3 });
const signedIn: Session = { ...VISITOR, member: amara };
const admin: Session = { ...VISITOR, member: { ...amara, admin: true } };
const labels = (session: Session) => navItems(session).map((item) => item.label);

describe("who sees what", () => {
  test("visitors open public pages only, members all", () => {
    const closed = ROUTES.filter((route) => !mayOpen(route.access, VISITOR)).map((route) => route.path);
    expect(closed).toEqual([
      "/bespoke-meditation-generator/script/:script",
      "/journey",
      "/journey/diary",
      "/journey/:id",
      "/meditation-library",
      "/reminders",
      "/members",
      "/members/credits",
      "/orders",
      "/admin",
      "/order-success",
    ]);
    const shut = ROUTES.filter((route) => !mayOpen(route.access, signedIn)).map((route) => route.path);
    expect(shut).toEqual(["/admin"]);
    expect(ROUTES.every((route) => mayOpen(route.access, admin))).toBe(true);
  });

  test("the workroom shows to admins and to nobody else", () => {
    expect(labels(admin).at(-1)).toBe("Admin");
    for (const session of [VISITOR, signedIn]) expect(labels(session)).not.toContain("Admin");
  });

  test("My Journey shows to those whose plan has it now, with its count", () => {
    expect(labels(VISITOR)).toEqual(["Home", "Memberships", "Bespoke Meditation Generator"]);
    expect(navItems(signedIn).at(-1)).toMatchObject({ label: "My Journey", count: 3 });
    const ended = amara.plan && { ...amara.plan, active: false, entitlements: [] };
    expect(labels({ ...VISITOR, member: { ...amara, plan: ended } })).toEqual([
      "Home",
      "Memberships",
      "Bespoke Meditation Generator",
    ]);
    const without = amara.plan && { ...amara.plan, active: true, entitlements: ["generator"] };
    expect(labels({ ...VISITOR, member: { ...amara, plan: without } })).toEqual([
      "Home",
      "Memberships",
      "Bespoke Meditation Generator",
    ]);
    expect(labels({ ...VISITOR, member: { ...amara, plan: null } })).toEqual([
      "Home",
      "Memberships",
      "Bespoke Meditation Generator",
    ]);
  });

  test("the library stands in the bar of those whose plan has it now, whatever the plan is called", () => {
    const having = (...entitlements: string[]): Session => ({
      ...VISITOR,
      member: { ...amara, plan: amara.plan && { ...amara.plan, entitlements } },
    });
    expect(labels(having("library"))).toContain("Meditation Library");
    expect(labels(having("generator", "journey", "top_up"))).not.toContain("Meditation Library");
    expect(labels(having())).not.toContain("Meditation Library");
    expect(labels(VISITOR)).not.toContain("Meditation Library");
  });

  test("admins open what subscribers have, without a plan", () => {
    const unplanned: Session = { ...VISITOR, member: { ...amara, plan: null, admin: true } };
    expect(mayOpen({ subscriber: "library" }, unplanned)).toBe(true);
    expect(mayOpen({ subscriber: "library" }, { ...VISITOR, member: { ...amara, plan: null } })).toBe(false);
  });

  test("the gateway's list names what subscribers need", () => {
    expect(accessInManifest({ subscriber: "library" })).toEqual({
      access: "subscriber",
      entitlement: "library",
    });
    expect(accessInManifest("admin")).toEqual({ access: "admin" });
  });

  test("no two pages share a path or a title", () => {
    expect(new Set(ROUTES.map((route) => route.path)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map((route) => route.title)).size).toBe(ROUTES.length);
  });
});
