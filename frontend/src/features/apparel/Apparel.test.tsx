import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { mockShop } from "@/testing/mock-shop";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { ApparelPage } from "./ApparelPage";

const open = (basket = new MockBasket()) =>
  show(
    <main>
      <ApparelPage />
    </main>,
    {
      member: null,
      path: "/apparel",
      gateway: (router) => {
        basket.serve(router);
        mockShop(router);
      },
    },
  );

const button = (name: string) => page.getByRole("button", { name, exact: true });
const said = () => toaster.list.get().map(({ text }) => text);
const inBasket = (basket: MockBasket) =>
  basket.lines.map((l) => `${l.quantity} ${l.productId} ${l.size}`.trim());

afterEach(() => {
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
});

test("things have name, price with two decimals, and a picture or a placeholder in its place", async () => {
  await open();
  await expect.element(page.getByRole("heading", { name: "The leaning pine tee" })).toBeVisible();
  await expect.element(page.getByText("£28.11")).toBeVisible();
  await expect.element(page.getByRole("img", { name: "Half-way tote, on a hanger." })).toBeVisible();
  await expect.element(page.getByText("Picture to follow")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("one without sizes has its own button and steps, and minus on what is not there does nothing", async () => {
  const basket = new MockBasket();
  await open(basket);
  await expect.element(button("One fewer: Half-way tote")).toHaveAttribute("aria-disabled", "true");
  await button("Add to basket: Half-way tote").click();
  await expect.poll(said).toEqual(["Half-way tote added to basket!"]);
  await button("One more: Half-way tote").click();
  await expect.poll(() => inBasket(basket)).toEqual(["2 tote"]);
  await button("One fewer: Half-way tote").click();
  await expect.poll(() => inBasket(basket)).toEqual(["1 tote"]);
  await button("One fewer: Half-way tote").click();
  await expect.poll(() => inBasket(basket)).toEqual([]);
});

test("sizes unfold, each with its steps; a size that is sold out says so", async () => {
  const basket = new MockBasket([lineFor("socks", "4 to 7", { quantity: 2 })]);
  await open(basket);
  await expect.element(page.getByText("2 in basket")).toBeVisible();
  const sizes = page.getByText("Size and quantity: The leaning pine tee");
  await sizes.click();
  await button("One more: The leaning pine tee, size M").click();
  await expect.poll(said).toEqual(["The leaning pine tee added to basket!"]);
  await expect.element(page.getByText("1 in basket")).toBeVisible();
  expect(inBasket(basket)).toEqual(["2 socks 4 to 7", "1 tee M"]);
  expect(button("One more: The leaning pine tee, size XXL").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => button("One more: The leaning pine tee, size M").query()).toBeNull();
});

test("what is sold out has no button", async () => {
  await open();
  const pillow = page.getByRole("article").filter({ hasText: "Linen eye pillow" });
  await expect.element(pillow.getByText("Sold out")).toBeVisible();
  expect(pillow.getByRole("button").elements()).toEqual([]);
});

test("beside a membership a thing is saved for later, which is said", async () => {
  const basket = new MockBasket([lineFor("calm-core", "month")]);
  await open(basket);
  await button("Add to basket: Half-way tote").click();
  await expect
    .poll(said)
    .toEqual(["A membership has to be bought on its own, so we’ve saved Half-way tote for later."]);
  expect(basket.saved.map(({ productId }) => productId)).toEqual(["tote"]);
});
