import { expect, test } from "vitest";
import { addressOf, pageUnder, panelAt } from "./account-panel";

const at = (pathname: string, search = "", state: unknown = null) => ({ pathname, search, hash: "", state });

test("the panel has two addresses, and says whose code it takes", () => {
  expect(panelAt(at("/"))).toBeNull();
  expect(panelAt(at("/signup"))).toMatchObject({ step: "sign-up" });
  expect(panelAt(at("/signup/confirm", "?username=amara.l"))).toEqual({
    step: "confirm",
    username: "amara.l",
    email: "",
    heldBack: false,
    confirmed: false,
  });
});

test("it lies over the page it was opened from, and over the home page for who comes by a link", () => {
  const under = { pathname: "/about", search: "?a=1", hash: "#b" };
  expect(addressOf(pageUnder(at("/signup", "", { under })))).toBe("/about?a=1#b");
  expect(addressOf(pageUnder(at("/signup/confirm", "?username=a")))).toBe("/");
  expect(addressOf(pageUnder(at("/journey", "?q=1")))).toBe("/journey?q=1");
});
