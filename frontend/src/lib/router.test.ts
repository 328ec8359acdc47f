import { describe, expect, test } from "vitest";
import { matchPath } from "./router";

describe("a path against a pattern", () => {
  test("gives the parts it names, decoded", () => {
    expect(matchPath("/journey/:id", "/journey/a%20b")).toEqual({ id: "a b" });
    expect(matchPath("/bespoke-meditation-generator/:id?", "/bespoke-meditation-generator")).toEqual({});
    expect(matchPath("/bespoke-meditation-generator/:id?", "/bespoke-meditation-generator/7")).toEqual({
      id: "7",
    });
  });

  test("matches as a whole only", () => {
    expect(matchPath("/journey", "/journey/7")).toBeNull();
    expect(matchPath("/journey/:id", "/journey")).toBeNull();
    expect(matchPath("/journey/:id", "/journey/7/8")).toBeNull();
  });

  test("a part that is no valid encoding stands for itself", () => {
    expect(matchPath("/journey/:id", "/journey/%E0%A4%A")).toEqual({ id: "%E0%A4%A" });
  });
});
