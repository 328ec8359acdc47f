import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { toaster } from "@/ui/toast/store";
import { axeFaults, show } from "@/testing/page";
import { pretend } from "./payment";
import { TestPayment } from "./TestPayment";

const open = () =>
  show(
    <main>
      <TestPayment />
    </main>,
    { member: null, path: "/test-payment" },
  );

const email = () => page.getByLabelText("Email");
const pay = () => page.getByRole("button", { name: "Pay" });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("£20.00 stands there unchangeable, and it is said that nothing is charged", async () => {
  await open();
  await expect.element(page.getByLabelText("Amount")).toHaveValue("£20.00");
  await expect.element(page.getByLabelText("Amount")).toHaveAttribute("readonly");
  await expect.element(email()).toHaveAttribute("type", "email");
  await expect.element(page.getByText(/No real call is made/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("without an email address nothing is paid, and the field says why", async () => {
  await open();
  await pay().click();
  await expect.element(page.getByText("Please give an email address.")).toBeVisible();
  await expect.element(email()).toHaveFocus();
  await email().fill("amara");
  await pay().click();
  await expect.element(page.getByText(/such as name@example\.com/)).toBeVisible();
  await expect.element(pay()).not.toHaveAttribute("aria-busy");
  expect(await axeFaults()).toEqual([]);
});

test("it takes a second and a half", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  let paid = "";
  void pretend("amara@lakehouse.example").then((outcome) => (paid = outcome));
  await vi.advanceTimersByTimeAsync(1499);
  expect(paid).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  expect(paid).toBe("paid");
});

test("after it, it has succeeded, in a notice and on the page, without any call", async () => {
  await open();
  await email().fill("amara@lakehouse.example");
  const calls = performance.getEntriesByType("resource").length;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await pay().click();
  await expect.element(page.getByRole("button", { name: "Paying" })).toHaveAttribute("aria-busy", "true");
  await vi.advanceTimersByTimeAsync(1500);
  await expect.element(page.getByRole("status")).toHaveTextContent("The test payment succeeded.");
  expect(toaster.list.get().map(({ text }) => text)).toContain(
    "The test payment succeeded. Nothing was charged.",
  );
  expect(performance.getEntriesByType("resource").length).toBe(calls);
  vi.useRealTimers();
  expect(await axeFaults()).toEqual([]);
});

test("each failure has its own words, and it can be tried again", async () => {
  await open();
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await email().fill("declined@lakehouse.example");
  await pay().click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("Failed to initialize payment. Please try again.");
  expect(await axeFaults()).toEqual([]);
  online.mockReturnValue(true);
  await pay().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("An unexpected error occurred");
  expect(await axeFaults()).toEqual([]);
  await email().fill("amara@lakehouse.example");
  await pay().click();
  await expect.element(page.getByRole("status")).toHaveTextContent("The test payment succeeded.");
});
