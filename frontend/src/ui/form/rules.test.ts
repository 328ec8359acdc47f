import { describe, expect, test } from "vitest";
import { SignUpRequestRules as rules } from "@/gen/serein/web/v1/account_rules";
import { faultOf } from "./rules";

const words = {
  missing: "missing",
  short: (n: number) => `under ${n}`,
  long: (n: number) => `over ${n}`,
  shape: "shape",
};

describe("an answer against the contract", () => {
  test("a username is 3 to 32 letters, digits, dots, dashes and underscores", () => {
    expect(faultOf("", rules.username, words)).toBe("missing");
    expect(faultOf("ab", rules.username, words)).toBe("under 3");
    expect(faultOf("a".repeat(33), rules.username, words)).toBe("over 32");
    expect(faultOf("abc", rules.username, words)).toBeUndefined();
    expect(faultOf("a".repeat(32), rules.username, words)).toBeUndefined();
    for (const name of [".amara", "amara lind", "amara🙂", "<amara>"])
      expect(faultOf(name, rules.username, words)).toBe("shape");
    for (const name of ["amara.l", "zoë-9", "Михаил", "9lives"])
      expect(faultOf(name, rules.username, words)).toBeUndefined();
  });

  test("characters are counted as people do, not as bytes or halves of them", () => {
    expect(faultOf("🙂".repeat(10), rules.password, words)).toBeUndefined();
    expect(faultOf("🙂".repeat(9), rules.password, words)).toBe("under 10");
  });

  test("an unfinished email is said to be one", () => {
    for (const email of ["amara", "amara@", "amara@lakehouse", "a b@c.de", "@c.de"])
      expect(faultOf(email, rules.email, words)).toBe("shape");
    expect(faultOf("amara@lakehouse.example", rules.email, words)).toBeUndefined();
  });
});
