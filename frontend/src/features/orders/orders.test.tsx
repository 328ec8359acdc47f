import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { ListOrdersRequest, Order } from "@/gen/serein/web/v1/orders_pb";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { someOrders } from "@/testing/mock-orders";
import { axeFaults, show } from "@/testing/page";
import { OrdersPage } from "./OrdersPage";

afterEach(() => vi.restoreAllMocks());

type Answer = { orders: Order[]; nextPageToken?: string };

const open = (listOrders: (request: ListOrdersRequest) => Answer | Promise<Answer>) =>
  show(
    <main>
      <OrdersPage />
    </main>,
    { path: "/orders", gateway: (router) => void router.service(OrderService, { listOrders }) },
  );

const row = (number: string) => page.getByRole("listitem").filter({ hasText: number });

test("an order shows what was bought first: its picture, its number, the rings, or the place of a picture", async () => {
  await open(() => ({ orders: someOrders() }));
  const shown = (number: string) => row(number).element().firstElementChild;
  await expect.poll(() => shown("S-10391")?.querySelector("img")?.getAttribute("src")).toBe("/icon.svg?tee");
  expect(shown("S-10428")?.textContent).toBe("61credits");
  expect(shown("S-10377")?.querySelector("svg")).not.toBeNull();
  expect(shown("S-10102")?.querySelector("img")).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("every order says what was bought, where it stands, what it cost and where it was sent", async () => {
  await open(() => ({ orders: someOrders() }));
  const sent = row("S-10391");
  await expect
    .element(sent.getByRole("heading"))
    .toHaveTextContent("The leaning pine tee, size M and 2 × Rain socks, size 4 to 7");
  await expect.element(sent).toHaveTextContent("S-10391, 20 November 2026");
  await expect.element(sent).toHaveTextContent("£56.28includes £3.95 delivery");
  await expect.element(sent).toHaveTextContent("Sent to Amara Lindqvist, 3 Lake Lane, Keswick, CA12 5DJ");
  await expect.element(row("S-10377").getByRole("heading")).toHaveTextContent("Core membership, monthly");
  await expect.element(row("S-10370").getByRole("heading")).toHaveTextContent("Core membership, renewal");
  await expect
    .element(row("S-10368").getByRole("heading"))
    .toHaveTextContent("Premium membership, change of plan");
  const standings: [string, string][] = [
    ["S-10428", "Being confirmed"],
    ["S-10377", "Paid"],
    ["S-10391", "Sent"],
    ["S-10098", "Paid, to be sent"],
    ["S-10360", "Being returned"],
    ["S-10355", "Not delivered"],
    ["S-10102", "Refunded"],
    ["S-10077", "Partly refunded"],
    ["S-10071", "Taken back by your bank"],
  ];
  for (const [number, standing] of standings)
    await expect.element(row(number).getByText(standing, { exact: true })).toBeVisible();
  await expect.element(row("S-10077")).toHaveTextContent("£5.00 refunded");
  await expect.element(row("S-10102")).toHaveTextContent("£16.11£2.00 off by code£16.11 refunded");
  expect(await axeFaults()).toEqual([]);
});

test("a receipt is the gateway's file, once the payment is known", async () => {
  const orders = someOrders();
  await open(() => ({ orders }));
  const receipt = page.getByRole("link", { name: "Receipt of S-10377 (PDF)" });
  await expect
    .element(receipt)
    .toHaveAttribute("href", `/media/receipts/${orders.find((o) => o.number === "S-10377")?.id}`);
  await expect.element(receipt).toHaveAttribute("download", "S-10377.pdf");
  expect(row("S-10428").getByRole("link").elements()).toEqual([]);
});

test("older orders come with a press, below the newer ones", async () => {
  const [first, second, ...rest] = someOrders();
  const newest = [first, second].filter((o) => o !== undefined);
  await open(({ pageToken }) =>
    pageToken === "older" ? { orders: rest } : { orders: newest, nextPageToken: "older" },
  );
  await expect.element(page.getByText("S-10391", { exact: false })).toBeVisible();
  expect(page.getByRole("listitem").elements()).toHaveLength(2);
  await page.getByRole("button", { name: "Show more orders" }).click();
  await expect.poll(() => page.getByRole("listitem").elements().length).toBe(someOrders().length);
  expect(page.getByRole("button", { name: "Show more orders" }).elements()).toEqual([]);
});

test("a member without orders sees that, with a link to the memberships", async () => {
  await open(() => ({ orders: [] }));
  await expect.element(page.getByRole("heading", { name: "No orders yet" })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Browse Memberships" }))
    .toHaveAttribute("href", "/memberships");
  expect(await axeFaults()).toEqual([]);
});

test("while they come the page says that it waits", async () => {
  await open(() => new Promise<Answer>(() => {}));
  await expect.element(page.getByText("Loading your orders")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what could not be loaded is said, and trying again brings it", async () => {
  let fails = true;
  await open(() => {
    if (fails) throw new ConnectError("broken", Code.Internal);
    return { orders: someOrders() };
  });
  await expect.element(page.getByRole("alert")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("heading", { name: "Orders", exact: true })).toBeVisible();
});

test("without a connection that is said, and the orders come when it is back", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await open(() => {
    if (!navigator.onLine) throw new ConnectError("Failed to fetch", Code.Unknown);
    return { orders: someOrders() };
  });
  await expect.element(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await expect.element(page.getByRole("heading", { name: "Orders", exact: true })).toBeVisible();
});
