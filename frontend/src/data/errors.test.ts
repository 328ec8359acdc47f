import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { errors } from "@/copy/errors";
import { DOMAIN, ErrorInfoSchema } from "./error-info";
import { toUserError } from "./errors";

const ours = (code: Code, message: string, reason: string, field = "", domain = DOMAIN) =>
  new ConnectError(message, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain, metadata: field ? { field } : {} } },
  ]);

describe("toUserError", () => {
  test("shows the server's sentence with its reason and faulty field", () => {
    const error = ours(Code.InvalidArgument, "Title must not contain profanities", "TITLE_PROFANE", "title");
    expect(toUserError(error)).toMatchObject({
      message: "Title must not contain profanities",
      reason: "TITLE_PROFANE",
      field: "title",
      retry: false,
    });
  });

  test("never shows a sentence that is not ours", () => {
    const stranger = ours(Code.InvalidArgument, "upstream connect error", "X", "", "elsewhere.example");
    expect(toUserError(stranger)).toMatchObject({ message: errors.refused.message, reason: "", field: "" });
    expect(toUserError(new ConnectError("pq: deadlock", Code.Internal))).toMatchObject(errors.broken);
    expect(toUserError(ours(Code.Internal, "pq: deadlock", "INTERNAL")).message).toBe(errors.broken.message);
    expect(toUserError(new TypeError("undefined is not a function"))).toMatchObject(errors.broken);
  });

  test("says when trying again may help", () => {
    expect(toUserError(new ConnectError("x", Code.Unavailable), true)).toMatchObject({
      ...errors.unavailable,
      retry: true,
    });
    expect(toUserError(new ConnectError("x", Code.DeadlineExceeded), true).retry).toBe(true);
    expect(toUserError(new ConnectError("x", Code.Unauthenticated), true)).toMatchObject({
      ...errors.unauthenticated,
      retry: false,
    });
  });

  test("blames the connection when there is none", () => {
    expect(toUserError(new ConnectError("Failed to fetch", Code.Unknown), false)).toMatchObject(
      errors.offline,
    );
    expect(
      toUserError(ours(Code.NotFound, "We can’t find that meditation.", "NOT_FOUND"), false).message,
    ).toBe("We can’t find that meditation.");
  });
});
