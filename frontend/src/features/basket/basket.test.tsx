import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { createBasket } from "@/data/basket-owner";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { mockShop } from "@/testing/mock-shop";
import { axeFaults, show } from "@/testing/page";
import { gbp } from "@/testing/shop";
import { BasketPage } from "./BasketPage";

const full = () =>
  new MockBasket([lineFor("tee", "M"), lineFor("socks", "4 to 7", { quantity: 2 }), lineFor("credits-41")]);

const open = (basket: MockBasket, visitor = true) =>
  show(
    <main>
      <BasketPage />
    </main>,
    {
      ...(visitor && { member: null }),
      path: "/basket",
      gateway: (router) => {
        basket.serve(router);
        mockShop(router);
      },
    },
  );

const button = (name: string | RegExp) => page.getByRole("button", { name });
const text = (words: string | RegExp) => page.getByText(words);

test("an empty basket says so and leads to the memberships, for a visitor too", async () => {
  await open(new MockBasket());
  await expect.element(page.getByRole("heading", { name: "Your Basket is Empty" })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Browse Memberships" }))
    .toHaveAttribute("href", "/memberships");
  expect(button("Clear Basket").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("lines have names, sizes and prices, and the total is the server's", async () => {
  await open(full());
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  await expect.element(text("Size 4 to 7")).toBeVisible();
  await expect.element(text("£12.11 each")).toBeVisible();
  await expect.element(text("One pack")).toBeVisible();
  await expect.element(text("3 things")).toBeVisible();
  // 28.11 + 2 x 12.11 + 11.11
  await expect.element(text("£63.44")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Proceed to Checkout" }))
    .toHaveAttribute("href", "/checkout");
  expect(await axeFaults()).toEqual([]);
});

test("every press of plus and minus counts, however quickly they follow; the last minus takes the line out, and Undo brings it back", async () => {
  const basket = full();
  await open(basket);
  const more = button("One more: The leaning pine tee, size m");
  await more.click();
  await more.click();
  await more.click();
  await expect.poll(() => basket.lines[0]?.quantity).toBe(4);
  const fewer = button("One fewer: Rain socks, size 4 to 7");
  await fewer.click();
  await fewer.click();
  await expect.element(text("Rain socks has been removed from your basket.")).toBeVisible();
  expect(basket.lines.map(({ name }) => name)).toEqual(["The leaning pine tee", "41 credits"]);
  expect(await axeFaults()).toEqual([]);
  await button("Undo").click();
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  expect(text("Rain socks has been removed from your basket.").query()).toBeNull();
});

test("who removes by keyboard is at Undo next", async () => {
  await open(full());
  const remove = button("Remove: Rain socks, size 4 to 7");
  await expect.element(remove).toBeVisible();
  (remove.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button("Undo")).toHaveFocus();
});

test("Clear Basket empties it, and Undo brings everything back", async () => {
  const basket = full();
  await open(basket);
  await button("Clear Basket").click();
  await expect.element(page.getByRole("heading", { name: "Your Basket is Empty" })).toBeVisible();
  await button("Undo").click();
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  expect(basket.lines.length).toBe(3);
});

test("what is saved for later waits below, and comes back with one press", async () => {
  const basket = full();
  await open(basket, false);
  await button("Save for later: The leaning pine tee, size m").click();
  await expect.element(text("The leaning pine tee is saved for later.")).toBeVisible();
  await expect.element(text(/^Kept with your account\. Prices are today’s/)).toBeVisible();
  await expect.element(text(/Size M, £28.11, saved today/)).toBeVisible();
  await button("Move to basket: The leaning pine tee, size m").click();
  await expect.element(text("The leaning pine tee is back in your basket.")).toBeVisible();
  expect(basket.saved).toEqual([]);
});

test("beside a membership a thing stays saved, and the rule is said", async () => {
  const basket = new MockBasket([lineFor("calm-premium", "month")], [lineFor("tee", "M")]);
  await open(basket);
  await expect.element(text(/^A membership has to be bought on its own\. Move these back/)).toBeVisible();
  await button("Move to basket: The leaning pine tee, size m").click();
  await expect.poll(() => basket.saved.length).toBe(1);
  await expect.element(button("Move to basket: The leaning pine tee, size m")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a membership is paid by the month until the year is chosen, with what that saves", async () => {
  const basket = new MockBasket([lineFor("calm-premium", "month")]);
  await open(basket);
  await expect.element(text("A month at a time, with 61 credits each month")).toBeVisible();
  // Twelve months of 13.11 less a year of 131.10.
  await button("Pay yearly and save £26.22: Premium").click();
  await expect.element(text("A year at a time, with 732 credits for the year")).toBeVisible();
  expect(basket.lines.map(({ size }) => size)).toEqual(["year"]);
});

test("a price that changed since is said, and what cannot be bought closes the way to the checkout until it is gone", async () => {
  await open(
    new MockBasket([
      lineFor("tee", "M", { was: gbp(2611) }),
      lineFor("sweatshirt", "XL", { unavailable: true }),
    ]),
  );
  await expect.element(text("The price has changed; it was £26.11.")).toBeVisible();
  await expect.element(text("You can’t buy this at the moment.")).toBeVisible();
  await expect.element(button("Proceed to Checkout")).toHaveAttribute("aria-disabled", "true");
  expect(await axeFaults()).toEqual([]);
  await button("Remove: Late lake sweatshirt, size xl").click();
  await expect.element(page.getByRole("link", { name: "Proceed to Checkout" })).toBeVisible();
});

const core = { productId: "calm-core", size: "month", name: "Core" };

test("a membership is bought alone: what else was there is saved for later, which is said with its way back", async () => {
  const basket = full();
  const { data } = await open(basket);
  await expect.element(page.getByRole("heading", { name: "Rain socks" })).toBeVisible();
  await data.part(createBasket).add(core);
  await expect
    .element(
      text("A membership has to be bought on its own, so we’ve saved the rest of your basket for later."),
    )
    .toBeVisible();
  expect(basket.saved.length).toBe(3);
  await button("Undo").click();
  await expect.poll(() => basket.lines.length).toBe(3);
  expect(basket.saved).toEqual([]);
});

test("of a second membership it is asked which it shall be: keeping changes nothing, replacing takes its place", async () => {
  const basket = new MockBasket([lineFor("calm-premium", "month")]);
  const { data } = await open(basket);
  await expect.element(page.getByRole("heading", { name: "Premium membership" })).toBeVisible();
  const { add } = data.part(createBasket);
  await add(core, { price: gbp(811) });
  await expect.element(page.getByRole("heading", { name: "One membership at a time" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await button("Keep Premium").click();
  expect(page.getByRole("heading", { name: "One membership at a time" }).query()).toBeNull();
  expect(basket.lines.map(({ name }) => name)).toEqual(["Premium"]);
  await add(core, { price: gbp(811) });
  await button("Replace with Core, £8.11").click();
  await expect.element(page.getByRole("heading", { name: "Core membership" })).toBeVisible();
  await expect.element(text("Core has taken its place.")).toBeVisible();
  expect(basket.lines.map(({ name }) => name)).toEqual(["Core"]);
});
