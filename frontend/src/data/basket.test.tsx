import { Code } from "@connectrpc/connect";
import { hydrateRoot } from "react-dom/client";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { Providers } from "@/app/Providers";
import { BasketService } from "@/gen/serein/web/v1/basket_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { member } from "@/testing/member";
import { lineFor, MockBasket } from "@/testing/mock-basket";
import { createSetting, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { useBasket } from "./basket";
import { basketOptions, createBasket } from "./basket-owner";
import { DataProvider } from "./DataProvider";

const said = () => toaster.list.get().map(({ text }) => text);

afterEach(() => {
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
});

function Count() {
  const { basket } = useBasket();
  return <output>{basket ? `${basket.count} in it` : "not known"}</output>;
}

test("a change that another tab was quicker than does nothing, says so, and shows how it stands", async () => {
  const basket = new MockBasket([lineFor("tee", "M"), lineFor("tote")]);
  const { data } = await show(<Count />, { gateway: basket.serve });
  await expect.element(page.getByText("2 in it")).toBeVisible();
  basket.lines = basket.lines.slice(0, 1);
  basket.elsewhere();
  const owner = data.part(createBasket);
  await owner.clear();
  expect(basket.lines.length).toBe(1);
  expect(said()).toEqual([
    "Your basket has changed in another window. This is how it is now; please try again.",
  ]);
  await expect.element(page.getByText("1 in it")).toBeVisible();
});

test("changes of two lines at once are no conflict: each sees what the one before it left", async () => {
  const tee = lineFor("tee", "M");
  const tote = lineFor("tote");
  const basket = new MockBasket([tee, tote]);
  const { data } = createSetting({ gateway: basket.serve });
  const { change, pending } = data.part(createBasket);
  const both = [change(tee, 1), change(tote, 1), change(tee, 1), change(tote, -1)];
  expect(pending.get()).toBe(4);
  await Promise.all(both);
  expect(pending.get()).toBe(0);
  expect(basket.lines.map(({ quantity }) => quantity)).toEqual([3, 1]);
  expect(said()).toEqual([]);
});

test("of two things that a visitor adds at once the second is sent when the first has its cookie: it is one basket", async () => {
  const basket = new MockBasket();
  let cookie = false;
  const sent: [id: string, cookie: boolean][] = [];
  const answers = gate();
  const { data } = createSetting({
    gateway: (router) => {
      basket.serve(router);
      router.rpc(BasketService.method.addToBasket, async ({ productId, size }) => {
        sent.push([productId, cookie]);
        await answers.passed;
        cookie = true;
        const outcome = basket.add(productId, size, false);
        return { ...basket.answer(), outcome };
      });
    },
  });
  const { add } = data.part(createBasket);
  const both = [
    add({ productId: "tee", size: "M", name: "Tee" }),
    add({ productId: "tote", size: "", name: "Tote" }),
  ];
  await expect.poll(() => sent.length).toBe(1);
  answers.open();
  await Promise.all(both);
  expect(sent).toEqual([
    ["tee", false],
    ["tote", true],
  ]);
});

test("a visitor who adds in two tabs at once has one basket: the second tab asks when the first has its cookie", async () => {
  let cookie = "";
  let sent = 0;
  const answers = gate();
  const baskets: Record<string, MockBasket> = {};
  const tab = () =>
    createSetting({
      member: null,
      gateway: (router) => {
        new MockBasket().serve(router);
        router.rpc(BasketService.method.addToBasket, async ({ productId, size }) => {
          sent++;
          const own = cookie || crypto.randomUUID();
          await answers.passed;
          cookie = own;
          const basket = (baskets[own] ??= new MockBasket());
          const outcome = basket.add(productId, size, false);
          return { ...basket.answer(), outcome };
        });
      },
    }).data.part(createBasket);
  const both = [
    tab().add({ productId: "tee", size: "M", name: "Tee" }),
    tab().add({ productId: "tote", size: "", name: "Tote" }),
  ];
  await expect.poll(() => sent).toBe(1);
  answers.open();
  await Promise.all(both);
  expect(Object.values(baskets).map(({ lines }) => lines.map(({ productId }) => productId))).toEqual([
    ["tee", "tote"],
  ]);
});

test("what the basket refuses is said in the server's words, and the next change goes on", async () => {
  const tote = lineFor("tote");
  const basket = new MockBasket([tote]);
  const { data } = createSetting({
    gateway: (router) => {
      basket.serve(router);
      router.rpc(BasketService.method.addToBasket, () => {
        throw failure(Code.FailedPrecondition, "Your basket is full.", "BASKET_FULL", "");
      });
    },
  });
  const { add, change } = data.part(createBasket);
  expect(await add({ productId: "tee", size: "M", name: "Tee" })).toBeNull();
  await change(tote, 1);
  expect(said()).toEqual(["Your basket is full."]);
  expect(basket.lines[0]?.quantity).toBe(2);
});

test("with the member the basket changes: the visitor's after signing out, the member's after signing in, and never another's in between", async () => {
  let who = "visitor";
  const baskets: Record<string, MockBasket> = {
    visitor: new MockBasket([]),
    member: new MockBasket([lineFor("tee", "M"), lineFor("tote")]),
  };
  const { session, screen } = await show(<Count />, {
    member: null,
    gateway: ({ rpc }) => rpc(BasketService.method.getBasket, () => baskets[who]?.answer() ?? {}),
  });
  await expect.element(screen.getByText("0 in it")).toBeVisible();
  who = "member";
  session.set({ ...session.get(), member: member() });
  await expect.element(screen.getByText("2 in it")).toBeVisible();
  who = "visitor";
  session.becomeVisitor();
  await expect.poll(() => screen.container.textContent).toBe("0 in it");
  expect(said()).toEqual([]);
});

/** Takes markup over that the build has written, as the app does; `faults` are what React had to mend. */
function takeOver({ app, data, session }: ReturnType<typeof createSetting>) {
  const at = document.createElement("div");
  at.innerHTML = "<output>not known</output>";
  document.body.append(at);
  const faults: unknown[] = [];
  const ui = (
    <Providers app={app} session={session}>
      <DataProvider data={data}>
        <Count />
      </DataProvider>
    </Providers>
  );
  const root = hydrateRoot(at, ui, { onRecoverableError: (fault) => faults.push(fault) });
  onTestFinished(() => {
    root.unmount();
    at.remove();
  });
  return { at, faults };
}

test("a basket that is read before the page is taken over does not swap its markup", async () => {
  const basket = new MockBasket([lineFor("tote")]);
  const setting = createSetting({ member: null, gateway: basket.serve });
  await setting.data.queryClient.fetchQuery(basketOptions(setting.data, ""));
  const { at, faults } = takeOver(setting);
  const written = at.firstChild;
  await expect.poll(() => at.textContent).toBe("1 in it");
  expect(at.firstChild).toBe(written);
  expect(faults).toEqual([]);
});

test("a member's page asks for their basket once, and never as a visitor's: the first answer alone says what came along", async () => {
  const basket = new MockBasket([lineFor("tote")]);
  let asked = 0;
  const setting = createSetting({
    gateway: ({ rpc }) =>
      rpc(BasketService.method.getBasket, () => {
        asked++;
        return basket.answer();
      }),
  });
  const { at } = takeOver(setting);
  await expect.poll(() => at.textContent).toBe("1 in it");
  expect(asked).toBe(1);
});
