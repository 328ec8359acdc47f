import { expect, test } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { VISITOR } from "@/lib/boot";
import { member } from "@/testing/member";
import { show } from "@/testing/page";
import { AgeBanner } from "./AgeBanner";

const page = (
  <>
    <AgeBanner />
    <main id="main" tabIndex={-1}>
      A page
    </main>
  </>
);

test("confirmed once, nobody is asked again in this browser session, in no tab", async () => {
  const { screen } = await show(page, { member: null });
  await screen.getByRole("button", { name: "Confirm: I am 16 or over" }).click();
  await expect.element(screen.getByRole("main")).toHaveFocus();
  await screen.unmount();
  sessionStorage.clear(); // what another tab has
  const again = await show(page, { member: null });
  expect(again.screen.getByRole("button").elements()).toEqual([]);
});

test("what remembers it is a cookie of this host alone, sent encrypted alone, and gone with the browser session", async () => {
  const { screen } = await show(page, { member: null });
  await screen.getByRole("button", { name: "Confirm: I am 16 or over" }).click();
  const kept = await cookieStore.get("__Host-serein-age");
  expect(kept).toMatchObject({
    value: "yes",
    domain: null,
    path: "/",
    secure: true,
    sameSite: "lax",
    expires: null,
  });
});

test("after Dismiss the banner goes and the focus stays in the page; the banner is back when the page is reopened", async () => {
  const { screen } = await show(page, { member: null });
  await screen.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(screen.getByRole("main")).toHaveFocus();
  await screen.unmount();
  const again = await show(page, { member: null });
  await expect.element(again.screen.getByRole("button", { name: "Dismiss" })).toBeVisible();
});

test("signing in moves nothing: it goes with the next page, and members are not asked", async () => {
  const { screen, session } = await show(page, { member: null });
  const dismiss = screen.getByRole("button", { name: "Dismiss" });
  await expect.element(dismiss).toBeVisible();
  session.set({ ...VISITOR, member: member() });
  await expect.element(dismiss).toBeVisible();
  navigate("/about");
  await expect.poll(() => dismiss.elements()).toEqual([]);
  await screen.unmount();
  const members = await show(page, { member: member() });
  await expect.poll(() => members.screen.getByRole("button").elements()).toEqual([]);
});

test("a member who signs out is not asked what their account has confirmed", async () => {
  const { screen, session } = await show(page, { member: member() });
  await expect.poll(() => cookieStore.get("__Host-serein-age")).not.toBeNull();
  session.set(VISITOR);
  navigate("/");
  await expect.poll(() => screen.getByRole("button").elements()).toEqual([]);
});
