import { expect, test } from "vitest";
import { VISITOR } from "@/lib/boot";
import { member } from "@/testing/member";
import { show } from "@/testing/page";
import { App } from "./App";

test("a visitor who opens a member's page is asked to sign in, and gets there", async () => {
  const { screen, session } = await show(<App />, { member: null, path: "/members" });
  const asks = screen.getByRole("dialog", { name: "Please sign in" });
  await expect.element(asks.getByRole("button", { name: "Sign in" })).toBeVisible();
  expect(window.location.pathname).toBe("/");
  session.set({ ...VISITOR, member: member() });
  await expect.poll(() => window.location.pathname).toBe("/members");
  await expect.poll(() => asks.query()).toBeNull();
});

test("who would rather not sign in stays at home", async () => {
  const { screen } = await show(<App />, { member: null, path: "/?return_to=%2Fjourney" });
  await screen.getByRole("button", { name: "Not now" }).click();
  await expect.poll(() => window.location.href).not.toContain("return_to");
  expect(screen.getByRole("dialog").query()).toBeNull();
});
