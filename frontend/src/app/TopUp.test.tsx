import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openTopUp, topUpOpen } from "@/lib/top-up";
import { MockBasket } from "@/testing/mock-basket";
import { mockShop } from "@/testing/mock-shop";
import { show } from "@/testing/page";
import { Overlays } from "./Overlays";

afterEach(() => topUpOpen.set(false));

const open = async () => {
  await show(
    <>
      <button type="button" onClick={openTopUp}>
        Here
      </button>
      <Overlays />
    </>,
    {
      path: "/members",
      gateway: (router) => {
        new MockBasket().serve(router);
        mockShop(router);
      },
    },
  );
  await page.getByRole("button", { name: "Here" }).click();
  await expect.element(dialog()).toBeVisible();
};

const dialog = () => page.getByRole("dialog", { name: "Top up credits" });

test("the packs lie over the page; Escape takes them away, and the focus is back where it was", async () => {
  await open();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => dialog().query()).toBeNull();
  await expect.element(page.getByRole("button", { name: "Here" })).toHaveFocus();
  expect(topUpOpen.get()).toBe(false);
});

test("Back leads away from the page, and from the packs", async () => {
  await open();
  window.dispatchEvent(new PopStateEvent("popstate"));
  await expect.poll(() => dialog().query()).toBeNull();
});
