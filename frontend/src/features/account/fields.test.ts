import { expect, test } from "vitest";
import { fieldOf } from "./fields";

test("an error of the server goes to its field, by name or by reason", () => {
  expect(fieldOf({ field: "given_name", reason: "INVALID_PARAMETER" })).toBe("givenName");
  expect(fieldOf({ field: "", reason: "USERNAME_EXISTS" })).toBe("username");
  expect(fieldOf({ field: "", reason: "EXPIRED_CODE" })).toBe("code");
  expect(fieldOf({ field: "track_id", reason: "INVALID_PARAMETER" })).toBeNull();
  expect(fieldOf({ field: "", reason: "TOO_MANY_REQUESTS" })).toBeNull();
});
