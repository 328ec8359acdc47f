import { describe, expect, test } from "vitest";
import { account } from "@/copy/account";
import { findFaults, isField, readForm } from "./form";

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

  test("only the form's own fields take the server's word", () => {
    expect(isField("username")).toBe(true);
    expect(isField("code")).toBe(true);
    expect(isField("track_id")).toBe(false);
  });
});
