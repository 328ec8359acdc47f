import { describe, expect, test } from "vitest";
import { account } from "@/copy/account";
import { findFaults, fieldOf, readForm } from "./form";

const good = {
  given_name: "Amara",
  family_name: "Lindqvist",
  email: "amara@lakehouse.example",
  username: "amara.l",
  password: "stillwater-9-pines",
  age_confirmed: "on",
};

describe("sign-up form", () => {
  test("a full form has no faults", () => {
    expect(findFaults(good)).toEqual({});
  });

  test("every empty or blank field is named", () => {
    const empty = readForm(new FormData());
    expect(findFaults(empty)).toEqual({
      given_name: account.missing.given_name,
      family_name: account.missing.family_name,
      email: account.missing.email,
      username: account.missing.username,
      password: account.missing.password,
      age_confirmed: account.missing.age_confirmed,
    });
    expect(findFaults({ ...good, username: "   " })).toEqual({ username: account.missing.username });
  });

  test("an unfinished email is said to be one", () => {
    for (const email of ["amara", "amara@", "amara@lakehouse", "a b@c.de", "@c.de"])
      expect(findFaults({ ...good, email })).toEqual({ email: account.emailShape });
  });

  test("an error of the server goes to its field, by name or by reason", () => {
    expect(fieldOf({ field: "username", reason: "INVALID_PARAMETER" })).toBe("username");
    expect(fieldOf({ field: "", reason: "USERNAME_EXISTS" })).toBe("username");
    expect(fieldOf({ field: "", reason: "EXPIRED_CODE" })).toBe("code");
    expect(fieldOf({ field: "track_id", reason: "INVALID_PARAMETER" })).toBeNull();
    expect(fieldOf({ field: "", reason: "TOO_MANY_REQUESTS" })).toBeNull();
  });
});
