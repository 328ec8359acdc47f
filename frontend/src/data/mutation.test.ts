import type { DescMethodUnary } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { createConnectQueryKey, createQueryOptions } from "@connectrpc/connect-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  GeneratorService,
  GenerateResponseSchema,
  GetGeneratorResponseSchema,
  JourneyService,
} from "@/gen/serein/web/v1/generator_pb";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import { AddToBasketResponseSchema, BasketService } from "@/gen/serein/web/v1/basket_pb";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { createData } from "./data";
import { interceptors } from "./interceptors";
import { defineWrite, runWrite } from "./mutation";

const GENERATE = defineWrite({
  method: GeneratorService.method.generate,
  invalidates: [GeneratorService.method.getGenerator, JourneyService],
});
const CONFIRM = defineWrite({ method: AccountService.method.confirmSignUp });

const credits = { plan: 4n, topUp: 0n, held: 1n };

/** A gateway in memory that fails as often as told, and writes down the keys it was called with. */
function gateway(failures: unknown[]) {
  const keys: string[] = [];
  const session = createSession({ ...VISITOR, member: member() });
  const next = () => {
    const cause = failures.shift();
    if (cause) throw cause;
  };
  const transport: Transport = createRouterTransport(
    ({ rpc }) => {
      rpc(GeneratorService.method.generate, ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        next();
        return create(GenerateResponseSchema, { credits });
      });
      rpc(JourneyService.method.listBespoke, () => ({}));
      rpc(GeneratorService.method.getGenerator, () => create(GetGeneratorResponseSchema, {}));
      rpc(AccountService.method.confirmSignUp, () => {
        keys.push("confirm");
        next();
        return {};
      });
    },
    { transport: { interceptors: interceptors(session) } },
  );
  return { keys, session, data: createData(session, transport) };
}

const lost = () => new ConnectError("no route", Code.Unavailable);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function finish<T>(sending: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync();
  return sending;
}

describe("a write", () => {
  test("of the basket has its key in request_id, and is sent again with the same one", async () => {
    const keys: string[] = [];
    const transport = createRouterTransport(({ rpc }) =>
      rpc(BasketService.method.addToBasket, ({ requestId }) => {
        keys.push(requestId);
        if (keys.length === 1) throw lost();
        return create(AddToBasketResponseSchema, {});
      }),
    );
    const data = createData(createSession({ ...VISITOR }), transport);
    const ADD = defineWrite({ method: BasketService.method.addToBasket });
    const { answer } = await finish(runWrite(data, ADD, { productId: "tote" }));
    expect(answer).not.toBeNull();
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("is sent again with the same key when its answer was lost, and shows the balance that comes back", async () => {
    const { keys, session, data } = gateway([lost(), lost()]);
    const sent = await finish(runWrite(data, GENERATE, { title: "Rain" }));
    expect(sent.trouble).toBeNull();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBe("");
    expect(session.get().member?.credits).toEqual({ plan: 4, topUp: 0, held: 1 });
  });

  test.each([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown])(
    "is sent three times with one key when the answer is lost by code %s",
    async (code) => {
      const { keys, data } = gateway([1, 2, 3].map(() => new ConnectError("lost", code)));
      await finish(runWrite(data, GENERATE, { title: "Rain" }));
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test("is given up after three tries, in words for people", async () => {
    const { keys, data } = gateway([lost(), lost(), lost(), lost()]);
    const { trouble } = await finish(runWrite(data, GENERATE, { title: "Rain" }));
    expect(keys).toHaveLength(3);
    expect(trouble).toMatchObject({ code: Code.Unavailable, retry: true });
  });

  test("that was refused is not sent again, and names its reason and field", async () => {
    const { keys, data } = gateway([
      failure(Code.InvalidArgument, "Title must not contain profanities", "TITLE_PROFANE", "title"),
    ]);
    const { trouble } = await finish(runWrite(data, GENERATE, { title: "damn" }));
    expect(keys).toHaveLength(1);
    expect(trouble).toMatchObject({
      message: "Title must not contain profanities",
      reason: "TITLE_PROFANE",
      field: "title",
    });
  });

  test("without a key is never repeated: the server could do it twice", async () => {
    const { keys, data } = gateway([lost()]);
    const { trouble } = await finish(runWrite(data, CONFIRM, { username: "amara", code: "408112" }));
    expect(keys).toHaveLength(1);
    expect(trouble?.code).toBe(Code.Unavailable);
  });

  test.each([
    ["was answered", []],
    ["may have been answered", [lost(), lost(), lost()]],
  ])("refetches the reads it touches when it %s", async (_, failures) => {
    const { data } = gateway(failures);
    // One it names, and one of a service it names.
    const reads: DescMethodUnary[] = [
      GeneratorService.method.getGenerator,
      JourneyService.method.listBespoke,
    ];
    for (const read of reads)
      await data.queryClient.fetchQuery(createQueryOptions(read, {}, { transport: data.transport }));
    await finish(runWrite(data, GENERATE, { title: "Rain" }));
    for (const schema of reads) {
      const key = createConnectQueryKey({
        schema,
        transport: data.transport,
        input: {},
        cardinality: "finite",
      });
      expect(data.queryClient.getQueryState(key)?.isInvalidated).toBe(true);
    }
  });
});
