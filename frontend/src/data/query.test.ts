import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { createQueryClient } from "./query";

test("a read is asked again where the server was away for a moment, and ends where it hung until its time was up", () => {
  const again = createQueryClient().getDefaultOptions().queries?.retry;
  const asks = (failures: number, code: Code) =>
    typeof again === "function" && again(failures, new ConnectError("no", code));
  expect([0, 1, 2].map((failures) => asks(failures, Code.Unavailable))).toEqual([true, true, false]);
  expect(asks(0, Code.DeadlineExceeded)).toBe(false);
});
