import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { callUnaryMethod, createQueryOptions } from "@connectrpc/connect-query";
import { queryOptions } from "@tanstack/react-query";
import { basketNews as words } from "@/copy/basket-news";
import type { Basket, BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { AddOutcome, BasketService, GetBasketResponseSchema } from "@/gen/serein/web/v1/basket_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import type { Money } from "@/lib/money";
import { onMemberChange } from "@/lib/session";
import { createStore } from "@/lib/store";
import { toast } from "@/ui/toast/store";
import type { Data } from "@/lib/app";
import type { ReasonName } from "./errors";
import type { Sent, Write } from "./mutation";
import { defineWrite, runWrite } from "./mutation";

/** What can be put into the basket. */
export interface Item {
  productId: string;
  /** A product's size; "month" or "year" for a membership; "" if the product has no sizes. */
  size: string;
  name: string;
}

/** What happened to the basket, said on its page until it changes again. */
export interface BasketNews {
  /** The version that it was said of; with another one it is no longer true. */
  version: bigint;
  text: string;
  /** A membership that was not added, since another one is there: which of the two shall it be? */
  instead?: Item & { price: Money | undefined };
}

type Line = Pick<BasketLine, "id" | "name">;

/** Everybody has a basket of their own: the key says whose, so that nobody is shown another's. */
export const basketOptions = ({ transport }: Pick<Data, "transport">, uid: string) => {
  const method = BasketService.method.getBasket;
  const { queryKey, structuralSharing } = createQueryOptions(method, {}, { transport });
  return queryOptions({
    queryKey: [...queryKey, { basketOf: uid }],
    queryFn: ({ signal }) => callUnaryMethod(transport, method, {}, { signal }),
    structuralSharing,
  });
};

const ownOptions = (data: Data) => basketOptions(data, data.session.get().member?.uid ?? "");

/** The cards of these say what is in the basket. */
const invalidates = [ShopService.method.getMemberships, ShopService.method.getTopUps];

const applied = (data: Data, { basket }: { basket?: Basket | undefined }): void => {
  if (basket)
    data.queryClient.setQueryData(ownOptions(data).queryKey, create(GetBasketResponseSchema, { basket }));
};

const ADD = defineWrite({ method: BasketService.method.addToBasket, invalidates, applied });
const SET = defineWrite({ method: BasketService.method.setQuantity, invalidates, applied });
const SAVE = defineWrite({ method: BasketService.method.saveForLater, invalidates, applied });
const CLEAR = defineWrite({ method: BasketService.method.clearBasket, invalidates, applied });
const UNDO = defineWrite({ method: BasketService.method.undoBasket, invalidates, applied });

/** Refusals that need other words here than the server's. */
const REFUSALS: Partial<Record<ReasonName, string>> = {
  VERSION_MISMATCH: words.changedElsewhere,
  LINE_NOT_FOUND: words.changedElsewhere,
  NOTHING_TO_UNDO: words.changedElsewhere,
  MEMBERSHIP_ALONE: words.alone,
  MEMBERSHIP_IN_BASKET: words.oneMembership,
};

/** What is said at once of an addition; the rest is said on the basket's page, which comes next. */
const SAID: Partial<Record<AddOutcome, (name: string) => string>> = {
  [AddOutcome.ADDED]: words.added,
  [AddOutcome.ALREADY_THERE]: words.alreadyThere,
  [AddOutcome.MOST]: words.most,
  [AddOutcome.SAVED]: words.saved,
};

/** Runs changes one after the other: each names the version that the previous one returned. */
function createQueue(data: Data) {
  const pending = createStore(0);
  let last: Promise<unknown> = Promise.resolve();

  /** Returns the cached basket, or reads it from the gateway if `refetch` is set; undefined if that read fails. */
  const basket = (refetch: boolean): Promise<Basket | undefined> =>
    data.queryClient
      .fetchQuery({ ...ownOptions(data), staleTime: refetch ? 0 : Number.POSITIVE_INFINITY })
      .then(
        (answer) => answer.basket,
        () => undefined,
      );

  async function run<I extends DescMessage, O extends DescMessage>(
    write: Write<I, O>,
    request: (basket: Basket | undefined) => MessageInitShape<I> | null | undefined,
  ): Promise<Sent<MessageShape<O>> | null> {
    const init = request(await basket(false));
    if (!init) return null;
    const sent = await runWrite(data, write, init);
    const { trouble } = sent;
    if (!trouble) return sent;
    toast((trouble.reason && REFUSALS[trouble.reason]) || trouble.message, "info");
    // The basket differs from what was shown, or the outcome of the change is unknown.
    await basket(true);
    return sent;
  }

  /** A visitor's first change makes their basket: tabs take turns, or each would be given one and the later cookie would win. */
  const amongTabs = <T>(work: () => Promise<T>): Promise<T> =>
    data.session.get().member || !("locks" in navigator)
      ? work()
      : navigator.locks.request("serein-basket", work);

  /** `request` is made when its turn comes: null where there is nothing left to change. */
  async function enqueue<I extends DescMessage, O extends DescMessage>(
    write: Write<I, O>,
    request: (basket: Basket | undefined) => MessageInitShape<I> | null | undefined,
  ): Promise<MessageShape<O> | null> {
    pending.set(pending.get() + 1);
    const turn = last.then(() => amongTabs(() => run(write, request)));
    last = turn;
    const sent = await turn;
    pending.set(pending.get() - 1);
    return sent?.answer ?? null;
  }
  return { pending, enqueue };
}

/** A part of Data: all changes of the basket. None of them rejects; what is refused is said. */
export function createBasket(data: Data) {
  const { pending, enqueue } = createQueue(data);
  const news = createStore<BasketNews | null>(null);
  onMemberChange(data.session, () => news.set(null));

  const say = (
    { basket }: { basket?: Basket | undefined },
    text: string,
    more?: Pick<BasketNews, "instead">,
  ) => {
    if (basket) news.set({ version: basket.version, text, ...more });
  };
  const setQuantity = async ({ id, name }: Line, quantity: (now: number) => number): Promise<void> => {
    let left = 0;
    const answer = await enqueue(SET, (basket) => {
      const line = [...(basket?.lines ?? []), ...(basket?.saved ?? [])].find((one) => one.id === id);
      if (!basket || !line) return null;
      left = Math.max(0, quantity(line.quantity));
      return { version: basket.version, lineId: id, quantity: left };
    });
    if (answer && left === 0) say(answer, words.removed(name));
  };

  return {
    /** How many changes are on their way. */
    pending,
    news,
    /** Puts one more of it in. Answers with what came of it; null where it was refused. */
    add: async (item: Item, more: { replace?: boolean; price?: Money | undefined } = {}) => {
      const { name, ...which } = item;
      const answer = await enqueue(ADD, () => ({ ...which, replace: more.replace ?? false }));
      if (!answer) return null;
      const { outcome } = answer;
      if (outcome === AddOutcome.MEMBERSHIP_IN_BASKET)
        say(answer, "", { instead: { ...item, price: more.price } });
      if (outcome === AddOutcome.OTHERS_SAVED) say(answer, words.othersSaved);
      if (outcome === AddOutcome.SAVED) say(answer, words.saved(name));
      if (outcome === AddOutcome.ADDED && more.replace) say(answer, words.replaced(name));
      const said = SAID[outcome];
      if (said) toast(said(name), outcome === AddOutcome.ADDED ? "ok" : "info");
      return outcome;
    },
    /** `by` more of it, or fewer; with nothing left the line goes. */
    change: (line: Line, by: number) => setQuantity(line, (now) => now + by),
    remove: (line: Line) => setQuantity(line, () => 0),
    /** Saves a line for later, or moves it back. */
    save: async ({ id, name }: Line, saved: boolean) => {
      const answer = await enqueue(
        SAVE,
        (basket) => basket && { version: basket.version, lineId: id, saved },
      );
      if (!answer) return;
      const moved = answer.outcome === AddOutcome.OTHERS_SAVED ? words.othersSaved : words.movedBack(name);
      say(answer, saved ? words.savedByHand(name) : moved);
    },
    clear: async () => {
      const answer = await enqueue(CLEAR, (basket) => basket && { version: basket.version });
      if (answer) say(answer, words.cleared);
    },
    undo: async () => {
      const answer = await enqueue(UNDO, (basket) => basket && { version: basket.version });
      if (answer) toast(words.undone);
    },
  };
}
