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

test("a call that nobody answers ends after twenty seconds, and not before", async () => {
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
  await vi.advanceTimersByTimeAsync(19_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledExactlyOnceWith(Code.DeadlineExceeded);
});
