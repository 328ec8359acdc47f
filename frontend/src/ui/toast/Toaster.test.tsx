import { afterEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { toast, toaster } from "./store";
import { Toaster } from "./Toaster";

afterEach(() => {
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
});

test("a notice is told politely, can be reached by Alt+T and dismissed", async () => {
  const { screen } = await show(<Toaster />);
  toast("Welcome, Amara.");
  await expect.element(screen.getByText("Welcome, Amara.")).toBeVisible();
  const list = screen.getByRole("region", { name: /Notifications/ });
  await expect.element(list).toHaveAttribute("aria-live", "polite");
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Alt>}t{/Alt}");
  await expect.element(list).toHaveFocus();
  await screen.getByRole("button", { name: "Dismiss" }).click();
  expect(screen.getByText("Welcome, Amara.").elements()).toEqual([]);
});
