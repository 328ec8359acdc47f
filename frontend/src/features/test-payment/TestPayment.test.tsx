import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { toaster } from "@/ui/toast/store";
import { axeFaults, show } from "@/testing/page";
import type { Payment } from "./payment";
import { PRETENDED } from "./payment";
import { TestPayment } from "./TestPayment";

const open = (payment?: Partial<Payment>) =>
  show(
    <main>
      <TestPayment {...(payment && { payment: { ...PRETENDED, ...payment } })} />
    </main>,
    { member: null, path: "/test-payment" },
  );

const email = () => page.getByLabelText("Email");
const pay = () => page.getByRole("button", { name: "Pay" });
const fails = () => Promise.reject(new Error("no"));

test("£20.00 stands there unchangeable, and it is said that nothing is charged", async () => {
  await open();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("£20.00");
  await expect.element(page.getByLabelText("Amount")).toHaveAttribute("readonly");
  await expect.element(email()).toHaveAttribute("type", "email");
  await expect.element(page.getByText(/No real call is made/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("without an email address nothing is paid, and the field says why", async () => {
  let paid = 0;
  await open({
    pay: () => {
      paid++;
      return Promise.resolve();
    },
  });
  await pay().click();
  await expect.element(page.getByText("Please give an email address.")).toBeVisible();
  await expect.element(email()).toHaveFocus();
  await email().fill("amara");
  await pay().click();
  await expect.element(page.getByText(/such as name@example\.com/)).toBeVisible();
  expect(paid).toBe(0);
  expect(await axeFaults()).toEqual([]);
});

test("after a second and a half it has succeeded, in a notice and on the page, without any call", async () => {
  await open();
  await email().fill("amara@lakehouse.example");
  const calls = performance.getEntriesByType("resource").length;
  const began = performance.now();
  await pay().click();
  await expect.element(page.getByRole("button", { name: "Paying" })).toHaveAttribute("aria-busy", "true");
  await expect.element(page.getByRole("status")).toHaveTextContent("The test payment succeeded.");
  expect(performance.now() - began).toBeGreaterThanOrEqual(1500);
  expect(toaster.list.get().map(({ text }) => text)).toContain(
    "The test payment succeeded. Nothing was charged.",
  );
  expect(performance.getEntriesByType("resource").length).toBe(calls);
  expect(await axeFaults()).toEqual([]);
});

test("each failure has its own words, and it can be tried again", async () => {
  for (const [payment, words] of [
    [{ prepare: fails }, "Failed to initialize payment. Please try again."],
    [{ pay: fails }, "An unexpected error occurred"],
  ] as const) {
    const { screen } = await open(payment);
    await email().fill("amara@lakehouse.example");
    await pay().click();
    await expect.element(page.getByRole("alert")).toHaveTextContent(words);
    await expect.element(pay()).not.toHaveAttribute("aria-busy");
    expect(await axeFaults()).toEqual([]);
    await screen.unmount();
  }
});
