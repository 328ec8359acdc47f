import { expect, test } from "vitest";
import { readBoot } from "./boot";
import { now } from "./clock";
import { becomeVisitor, getSession, setCredits, setSession } from "./session";

test("a balance from another answer shows at once, and only for members", () => {
  setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(getSession().member).toBeNull();
  setSession(readBoot('{"member":{"uid":"u","credits":{"plan":"8"}}}'));
  setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(getSession().member?.credits).toEqual({ plan: 5, topUp: 0, held: 1 });
  becomeVisitor();
  expect(getSession().member).toBeNull();
});

test("the server's clock is the page's clock", () => {
  const ahead = Date.now() + 3_600_000;
  setSession({ member: null, serverTime: ahead });
  expect(Math.abs(now() - ahead)).toBeLessThan(1000);
});
