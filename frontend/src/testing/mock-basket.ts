import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import type { Basket, BasketLine, CheckoutRequest } from "@/gen/serein/web/v1/basket_pb";
import {
  AddOutcome,
  BasketItemKind,
  BasketLineSchema,
  BasketSchema,
  BasketService,
} from "@/gen/serein/web/v1/basket_pb";
import { failure } from "./failure";
import { apparel, gbp, memberships, topUps } from "./shop";

/** A basket in memory, with the rules of the basket service as far as a screen meets them. */

export const ORDER_ID = "0193f2c0-0000-7000-8000-000000010391";

type LineInit = Omit<MessageInitShape<typeof BasketLineSchema>, "$typeName">;

const uuid = (): string => crypto.randomUUID();

/** A line of the catalogue's thing. */
export function lineFor(productId: string, size = "", more: LineInit = {}): BasketLine {
  const base = { id: uuid(), productId, size, quantity: 1 };
  const thing = apparel().products.find(({ id }) => id === productId);
  const pack = topUps().topUps.find(({ id }) => id === productId);
  const plan = memberships().plans.find(({ id }) => id === productId);
  const offer = size === "year" ? plan?.yearly : plan?.monthly;
  if (thing)
    return create(BasketLineSchema, {
      ...base,
      kind: BasketItemKind.PRODUCT,
      name: thing.name,
      price: gbp(Number(thing.price?.amount)),
      ...(thing.picture && { picture: thing.picture }),
      ...more,
    });
  return create(BasketLineSchema, {
    ...base,
    kind: pack ? BasketItemKind.CREDIT_PACK : BasketItemKind.MEMBERSHIP,
    name: pack?.name ?? plan?.name ?? "",
    price: gbp(Number((pack ?? offer)?.price?.amount)),
    credits: (pack ?? offer)?.credits ?? 0n,
    quantityFixed: true,
    ...more,
  });
}

export class MockBasket {
  version = 1n;
  lines: BasketLine[];
  saved: BasketLine[];
  merged = false;
  /** What the payment page of an order is; throw to refuse. */
  checkout: (request: CheckoutRequest) => { orderId: string; url: string } = () => ({
    orderId: ORDER_ID,
    url: "#paying",
  });
  #before: { lines: BasketLine[]; saved: BasketLine[] } | null = null;

  constructor(lines: BasketLine[] = [], saved: BasketLine[] = []) {
    this.lines = lines;
    this.saved = saved;
  }

  answer(): { basket: Basket } {
    const total = this.lines.reduce((sum, l) => sum + (l.price?.amount ?? 0n) * BigInt(l.quantity), 0n);
    const basket = create(BasketSchema, {
      version: this.version,
      lines: this.lines,
      saved: this.saved,
      total: { amount: total, currency: "gbp" },
      count: this.lines.reduce((sum, l) => sum + l.quantity, 0),
      canUndo: this.#before !== null,
      delivery: this.lines.some(({ kind }) => kind === BasketItemKind.PRODUCT),
      deliveryPrice: gbp(311),
      promotionCodes: true,
      merged: this.merged,
    });
    this.merged = false;
    return { basket };
  }

  /** Somebody else's change. */
  elsewhere(): void {
    this.version += 1n;
  }

  #change(lines: BasketLine[], saved = this.saved): void {
    this.#before = { lines: this.lines, saved: this.saved };
    this.lines = lines;
    this.saved = saved;
    this.version += 1n;
  }

  #see(version: bigint): void {
    if (version !== this.version) throw failure(Code.Aborted, "It changed.", "VERSION_MISMATCH", "");
  }

  #plan = (): BasketLine | undefined => this.lines.find(({ kind }) => kind === BasketItemKind.MEMBERSHIP);

  add(productId: string, size: string, replace: boolean): AddOutcome {
    const line = lineFor(productId, size);
    const there = this.lines.find((one) => one.productId === productId && one.size === size);
    if (there?.quantityFixed) return AddOutcome.ALREADY_THERE;
    if (there) {
      const more = { ...there, quantity: there.quantity + 1 };
      this.#change(this.lines.map((one) => (one === there ? more : one)));
      return AddOutcome.ADDED;
    }
    return this.#put(line, replace);
  }

  #put(line: BasketLine, replace: boolean): AddOutcome {
    const plan = this.#plan();
    const kept = timestampFromMs(Date.now());
    if (line.kind !== BasketItemKind.MEMBERSHIP) {
      if (!plan) this.#change([...this.lines, line]);
      else this.#change(this.lines, [...this.saved, { ...line, savedAt: kept }]);
      return plan ? AddOutcome.SAVED : AddOutcome.ADDED;
    }
    if (plan && !replace) return AddOutcome.MEMBERSHIP_IN_BASKET;
    const others = this.lines.filter((one) => one !== plan).map((one) => ({ ...one, savedAt: kept }));
    this.#change([line], [...this.saved, ...others]);
    return others.length > 0 ? AddOutcome.OTHERS_SAVED : AddOutcome.ADDED;
  }

  set(version: bigint, id: string, quantity: number): void {
    this.#see(version);
    const set = (of: BasketLine[]) =>
      of.map((l) => (l.id === id ? { ...l, quantity } : l)).filter((l) => l.quantity > 0);
    this.#change(set(this.lines), set(this.saved));
  }

  save(version: bigint, id: string, saved: boolean): AddOutcome {
    this.#see(version);
    const line = [...this.lines, ...this.saved].find((one) => one.id === id);
    if (!line) throw failure(Code.NotFound, "It is gone.", "LINE_NOT_FOUND", "");
    const without = (of: BasketLine[]) => of.filter((one) => one !== line);
    if (saved) {
      this.#change(without(this.lines), [...this.saved, { ...line, savedAt: timestampFromMs(Date.now()) }]);
      return AddOutcome.SAVED;
    }
    if (line.kind !== BasketItemKind.MEMBERSHIP && this.#plan())
      throw failure(Code.FailedPrecondition, "A membership is bought alone.", "MEMBERSHIP_ALONE", "");
    const rest = without(this.saved);
    const before = this.saved;
    this.saved = rest;
    const outcome = this.#put(line, false);
    this.#before = { lines: this.#before?.lines ?? [], saved: before };
    return outcome;
  }

  clear(version: bigint): void {
    this.#see(version);
    this.#change([]);
  }

  undo(version: bigint): void {
    this.#see(version);
    if (!this.#before) throw failure(Code.FailedPrecondition, "Nothing.", "NOTHING_TO_UNDO", "");
    Object.assign(this, this.#before);
    this.#before = null;
    this.version += 1n;
  }

  /** As the gateway answers. */
  serve = (router: ConnectRouter): void => {
    router.service(BasketService, {
      getBasket: () => this.answer(),
      addToBasket: ({ productId, size, replace }) => {
        const outcome = this.add(productId, size, replace);
        return { ...this.answer(), outcome };
      },
      setQuantity: ({ version, lineId, quantity }) => {
        this.set(version, lineId, quantity);
        return this.answer();
      },
      saveForLater: ({ version, lineId, saved }) => {
        const outcome = this.save(version, lineId, saved);
        return { ...this.answer(), outcome };
      },
      clearBasket: ({ version }) => {
        this.clear(version);
        return this.answer();
      },
      checkout: (request) => {
        if (request.planId) return this.checkout(request);
        this.#see(request.version);
        return this.checkout(request);
      },
      undoBasket: ({ version }) => {
        this.undo(version);
        return this.answer();
      },
    });
  };
}

const line = lineFor;
/** What is in the basket of `npm run look`, by `?scene=`. */
const SCENES: Readonly<Record<string, () => MockBasket>> = {
  filled: () =>
    new MockBasket(
      [line("tee", "M"), line("socks", "4 to 7", { quantity: 2 }), line("credits-41")],
      [line("tote", "", { savedAt: timestampFromMs(Date.now()) })],
    ),
  membership: () =>
    new MockBasket(
      [line("calm-premium", "month")],
      [line("tee", "M", { savedAt: timestampFromMs(Date.UTC(2026, 10, 19)) })],
    ),
  changed: () =>
    new MockBasket([line("tee", "M", { was: gbp(2611) }), line("sweatshirt", "XL", { unavailable: true })]),
};

export function mockBasket(router: ConnectRouter): void {
  // The build makes it too, where there is no page.
  const search = typeof window === "undefined" ? "" : window.location.search;
  const scene = new URLSearchParams(search).get("scene") ?? "";
  (SCENES[scene]?.() ?? new MockBasket()).serve(router);
}
