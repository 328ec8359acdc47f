import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Member } from "@/lib/boot";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { topUps } from "@/testing/shop";
import { TopUpDialog } from "./TopUpDialog";

interface Setting {
  basket?: MockBasket;
  allowed?: boolean;
  trial?: boolean;
  who?: Member | null;
}

async function open({
  basket = new MockBasket(),
  allowed = true,
  trial = false,
  who = member(),
}: Setting = {}) {
  const closed = vi.fn<() => void>();
  await show(<TopUpDialog onClose={closed} />, {
    member: who,
    gateway: (router) => {
      basket.serve(router);
      router.service(ShopService, { getTopUps: () => topUps(allowed, trial) });
    },
  });
  await expect.element(page.getByRole(allowed ? "radio" : "listitem").nth(4)).toBeVisible();
  return closed;
}

const button = (name: string | RegExp) => page.getByRole("button", { name });

test("a pack is chosen and put into the basket once, and the way there opens", async () => {
  const basket = new MockBasket();
  await open({ basket });
  await page.getByRole("radio", { name: /61 credits/ }).click();
  await expect
    .element(page.getByText("61 credits make 61 voice-only meditations, or 30 immersive ones."))
    .toBeVisible();
  await button("Add to Basket, £15.11").click();
  await expect
    .element(page.getByRole("link", { name: "Go to your basket" }))
    .toHaveAttribute("href", "/basket");
  await expect.element(page.getByRole("link", { name: "Go to your basket" })).toHaveFocus();
  expect(basket.lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([["credits-61", 1]]);
  await expect.element(page.getByText("in your basket", { exact: true })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("in the free trial the packs are seen, and the button reads Upgrade to Topup", async () => {
  await open({ allowed: false, trial: true });
  await expect
    .element(page.getByText(/^Top-ups come with a membership\. Yours is the free trial, with 3 credits/))
    .toBeVisible();
  await expect
    .element(page.getByRole("list", { name: "Credit packs" }).getByText("61 credits"))
    .toBeVisible();
  expect(page.getByRole("radio").elements(), "nothing to choose that cannot be bought").toEqual([]);
  await expect
    .element(page.getByRole("link", { name: "Upgrade to Topup" }))
    .toHaveAttribute("href", "/memberships");
  expect(button(/^Add to Basket/).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("a visitor is shown the memberships", async () => {
  await open({ allowed: false, who: null });
  await expect.element(page.getByRole("link", { name: "View Our Memberships" })).toBeVisible();
});

test("beside a membership they are saved for later, and the dialog says so", async () => {
  const basket = new MockBasket([lineFor("calm-core", "month")]);
  await open({ basket });
  await button(/^Add to Basket/).click();
  await expect
    .element(page.getByText("A membership has to be bought on its own, so these are saved for later."))
    .toBeVisible();
});

test("Tab goes round inside, Escape closes it once it has faded, and the page behind cannot scroll", async () => {
  const closed = await open();
  expect(getComputedStyle(document.documentElement).overflow).toBe("hidden");
  const dialog = page.getByRole("dialog", { name: "Top up credits" }).element();
  for (let i = 0; i < 8; i++) {
    await userEvent.keyboard("{Tab}");
    // Between two rounds a browser's own bar has the focus, and the page none.
    expect(document.activeElement === document.body || dialog.contains(document.activeElement)).toBe(true);
  }
  const seen: string[] = [];
  closed.mockImplementation(() => {
    seen.push(getComputedStyle(dialog).opacity);
  });
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => seen).toEqual(["0"]);
});
