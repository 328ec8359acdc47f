import { afterEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { createStore, useStore } from "@/lib/store";
import { axeFaults, show } from "@/testing/page";
import { toast, toaster } from "./store";
import { Dialog } from "../Dialog";
import { Toaster } from "./Toaster";

afterEach(() => {
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
});

test("a notice is announced politely, can be reached by Alt+T and dismissed", async () => {
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

/** What lies on top in the middle of an element. */
const onTop = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2);
};

test.each(["before", "after"])(
  "a notice that comes %s a dialog opens lies above it, is read out, and can be dismissed there",
  async (when) => {
    const asks = createStore(false);
    const Asking = () => (useStore(asks) ? <Dialog title="A question">It has to be answered.</Dialog> : null);
    const { screen } = await show(
      <>
        <Asking />
        <Toaster />
      </>,
    );
    if (when === "before") toast("Welcome, Amara.");
    asks.set(true);
    if (when === "after") toast("Welcome, Amara.");
    const notice = screen.getByRole("dialog").getByText("Welcome, Amara.");
    await expect.element(notice).toBeVisible();
    await expect.poll(() => onTop(notice.element())).toBe(notice.element());
    expect(await axeFaults()).toEqual([]);
    await screen.getByRole("button", { name: "Dismiss" }).click();
    expect(screen.getByText("Welcome, Amara.").elements()).toEqual([]);
    toast("And back.");
    asks.set(false);
    await expect.element(screen.getByText("And back.")).toBeVisible();
  },
);
