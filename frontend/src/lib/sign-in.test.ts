import { expect, test } from "vitest";
import { signInUrl } from "./sign-in";

test("the address of the hosted sign-in names the page to return to and the member's login", () => {
  expect(signInUrl({ popup: true, loginHint: "amara.l+1", returnTo: "/journey?tab=2" })).toBe(
    "/auth/sign-in?popup=1&login_hint=amara.l%2B1&return_to=%2Fjourney%3Ftab%3D2",
  );
  expect(signInUrl({ popup: false, returnTo: "/" })).toBe("/auth/sign-in?return_to=%2F");
});

test("the zone of the browser goes with it, where it is known", () => {
  expect(signInUrl({ popup: false, returnTo: "/", timeZone: "Europe/London" })).toBe(
    "/auth/sign-in?return_to=%2F&time_zone=Europe%2FLondon",
  );
});

test("the address of a shared meditation stands in no other address", () => {
  for (const popup of [true, false]) {
    const address = signInUrl({ popup, returnTo: "/shared/AbCdEf" });
    expect(address).toContain("return_to=%2F");
    expect(address).not.toContain("shared");
  }
});

test("no other site is returned to", () => {
  for (const returnTo of ["//evil.example", "/\\evil.example", "https://evil.example", ""])
    expect(signInUrl({ popup: false, returnTo })).toBe("/auth/sign-in?return_to=%2F");
});
