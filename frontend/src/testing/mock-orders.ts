import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import type { Order } from "@/gen/serein/web/v1/orders_pb";
import {
  OrderItemKind,
  OrderItemSchema,
  OrderSchema,
  OrderService,
  OrderState,
} from "@/gen/serein/web/v1/orders_pb";
import { MoneySchema } from "@/gen/serein/web/v1/shop_pb";
import { failure } from "./failure";
import { gbp } from "./shop";

/** Orders from memory. `?scene=none` is a member who has bought nothing. */

const money = (amount: number) => create(MoneySchema, gbp(amount));
const at = (day: number) => timestampFromMs(Date.UTC(2026, 10, day, 12));

const order = (n: number, more: Partial<Order>): Order =>
  Object.assign(
    create(OrderSchema, {
      id: `0193f2c0-0000-7000-8000-0000000${n}`,
      number: `S-${n}`,
      state: OrderState.COMPLETED,
      createdAt: at(20),
      completedAt: at(20),
    }),
    more,
  );

const item = (name: string, more: MessageInitShape<typeof OrderItemSchema>) =>
  create(OrderItemSchema, { name, quantity: 1, kind: OrderItemKind.PRODUCT, ...more });

const pack = item("61 credits", { credits: 61n, price: money(1511), kind: OrderItemKind.CREDIT_PACK });
const plan = item("Core", { size: "month", credits: 21n, price: money(811), kind: OrderItemKind.MEMBERSHIP });

/** One in each standing, the newest first. */
export const someOrders = (): Order[] => [
  order(10428, { state: OrderState.PROCESSING, items: [pack], total: money(1511) }),
  order(10391, {
    ships: true,
    sentAt: at(22),
    items: [
      item("The leaning pine tee", {
        size: "M",
        price: money(2811),
        picture: { url: "/icon.svg?tee", alt: "The leaning pine tee, on a hanger." },
      }),
      item("Rain socks", { size: "4 to 7", quantity: 2, price: money(1211) }),
    ],
    total: money(5628),
    delivery: money(395),
    address: ["Amara Lindqvist", "3 Lake Lane", "Keswick", "CA12 5DJ"],
  }),
  order(10377, { items: [plan], total: money(811) }),
  order(10370, { items: [plan], total: money(811), cause: "renewal" }),
  order(10368, {
    items: [item("Premium", { size: "month", price: money(411), kind: OrderItemKind.MEMBERSHIP })],
    total: money(411),
    cause: "change",
  }),
  order(10360, { state: OrderState.RETURNING, items: [plan], total: money(811) }),
  order(10355, { state: OrderState.RETURNING, items: [plan], total: money(0), discount: money(811) }),
  order(10102, {
    items: [item("Linen eye pillow", { price: money(1811) })],
    total: money(1611),
    discount: money(200),
    refunded: money(1611),
  }),
  order(10098, { items: [item("Tote", { price: money(1211) })], total: money(1211), ships: true }),
  order(10077, { items: [pack], total: money(1511), refunded: money(500) }),
  order(10071, { items: [pack], total: money(1511), refunded: money(1511), disputed: money(1511) }),
];

/** One that was paid: a plan, things with their delivery, or a pack of credits. */
export function anOrder(of: "plan" | "things" | "pack"): Order {
  const name = { plan: "Core", things: "Rain socks", pack: "61 credits" }[of];
  const found = someOrders().find(({ items }) => items.some((one) => one.name === name));
  if (!found) throw new Error(`no order of ${name}`);
  return { ...found, state: OrderState.COMPLETED };
}

const scene = () =>
  typeof window === "undefined" ? "" : (new URLSearchParams(window.location.search).get("scene") ?? "");

export function mockOrders(router: ConnectRouter): void {
  router.service(OrderService, {
    getOrder: ({ orderId }) => {
      const found = someOrders().find(({ id }) => id === orderId);
      if (!found) throw failure(Code.NotFound, "There is no such order.", "ORDER_NOT_FOUND", "");
      return { order: found };
    },
    listOrders: () => ({ orders: scene() === "none" ? [] : someOrders(), nextPageToken: "" }),
  });
}
