import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { createTransport } from "./transport";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A call to a gateway that never answers; gives what is called with the code of its end. */
function callInVain() {
  vi.useFakeTimers();
  vi.stubGlobal(
    "fetch",
    (_: unknown, { signal }: RequestInit) =>
      new Promise((_answer, refuse) => {
        signal?.addEventListener("abort", () => refuse(signal.reason));
      }),
  );
  const ended = vi.fn<(code: Code) => void>();
  const client = createClient(AccountService, createTransport(createSession({ ...VISITOR })));
  void client
    .resendConfirmationCode({ username: "amara" })
    .catch((cause: unknown) => ended(ConnectError.from(cause).code));
  return ended;
}

test("a call that nobody answers ends after twenty seconds, and not before", async () => {
  const ended = callInVain();
  await vi.advanceTimersByTimeAsync(19_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledExactlyOnceWith(Code.DeadlineExceeded);
});

test("time in which the page stood still does not count", async () => {
  const ended = callInVain();
  await vi.advanceTimersByTimeAsync(5_000);
  vi.setSystemTime(Date.now() + 3_600_000); // a browser that wakes makes up for one tick at most
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
});

test("an answer stops the clock", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } })),
  );
  const client = createClient(AccountService, createTransport(createSession({ ...VISITOR })));
  await client.resendConfirmationCode({ username: "amara" });
  expect(vi.getTimerCount()).toBe(0);
});
