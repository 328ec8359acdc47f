import { hydrateRoot } from "react-dom/client";
import { expect, test } from "vitest";
import type { Member } from "@/lib/boot";
import { VISITOR } from "@/lib/boot";
import { useInBrowser } from "@/lib/in-browser";
import { createSession, SessionContext } from "@/lib/session";
import { member } from "@/testing/member";
import { show } from "@/testing/page";
import type { Access } from "./access";
import { Guard } from "./Guard";

const LIBRARY: Access = { subscriber: "library" };
const amara = member();
const ended: Member = { ...amara, plan: amara.plan && { ...amara.plan, active: false, entitlements: [] } };

/** Opens a page with this access and returns whether it is shown. Others must be at home; a visitor's address names the page in return_to. */
async function opens(access: Access, who: Member | null): Promise<boolean> {
  const { screen } = await show(
    <Guard access={access}>
      <h1>The page</h1>
    </Guard>,
    { member: who, path: "/a-page" },
  );
  await expect
    .poll(() => window.location.pathname !== "/a-page" || document.querySelector("h1"))
    .toBeTruthy();
  const shown = screen.getByRole("heading").query() !== null;
  expect(window.location.pathname).toBe(shown ? "/a-page" : "/");
  expect(window.location.search).toBe(shown || who ? "" : "?return_to=%2Fa-page");
  await screen.unmount();
  return shown;
}

test("a page for subscribers opens by the entitlement of the plan, and to admins", async () => {
  expect(await opens(LIBRARY, amara)).toBe(true);
  expect(await opens({ subscriber: "top_up" }, amara)).toBe(false);
  expect(await opens(LIBRARY, ended)).toBe(false);
  expect(await opens(LIBRARY, { ...amara, plan: null })).toBe(false);
  expect(await opens(LIBRARY, { ...amara, admin: true, plan: null })).toBe(true);
  expect(await opens(LIBRARY, null)).toBe(false);
});

test("a page for admins opens for no other member", async () => {
  expect(await opens("admin", { ...amara, admin: true })).toBe(true);
  expect(await opens("admin", amara)).toBe(false);
  expect(await opens("admin", null)).toBe(false);
});

test("a page for members opens with a plan that has ended, and one for everyone to visitors", async () => {
  expect(await opens("member", ended)).toBe(true);
  expect(await opens("member", null)).toBe(false);
  expect(await opens("everyone", null)).toBe(true);
});

test("signing out on a member's page leads home, without an offer to sign in", async () => {
  const { session } = await show(
    <Guard access="member">
      <h1>The page</h1>
    </Guard>,
    { member: amara, path: "/a-page" },
  );
  session.becomeVisitor();
  await expect.poll(() => window.location.pathname + window.location.search).toBe("/");
});

/** Says that what only a browser knows has been shown, as it is in the same pass by `Guard`. */
const Where = () => <p>{useInBrowser() ? "in the browser" : "as written"}</p>;

/** Takes over the markup of a page for subscribers, as the gateway sends it. */
async function takesOver(who: Member | null) {
  window.history.replaceState(null, "", "/a-page");
  const at = document.createElement("div");
  at.innerHTML = "<h1>The page</h1><p>as written</p>";
  document.body.append(at);
  const heading = at.querySelector("h1");
  const root = hydrateRoot(
    at,
    <SessionContext value={createSession({ ...VISITOR, member: who })}>
      <Guard access={LIBRARY}>
        <h1>The page</h1>
      </Guard>
      <Where />
    </SessionContext>,
  );
  await expect.poll(() => at.querySelector("p")?.textContent).toBe("in the browser");
  const same = at.querySelector("h1") === heading;
  await expect.poll(() => window.location.pathname).toBe(same ? "/a-page" : "/");
  root.unmount();
  at.remove();
  return same;
}

test("the markup of a page for subscribers is hydrated unchanged for a subscriber, and a visitor is led home", async () => {
  expect(await takesOver(amara)).toBe(true);
  expect(window.location.pathname).toBe("/a-page");
  expect(await takesOver(null)).toBe(false);
  expect(window.location.pathname).toBe("/");
});
