import { expect, test } from "vitest";
import { readBoot, VISITOR } from "./boot";
import { now } from "./clock";
import { createSession } from "./session";

test("a balance from another answer shows at once, and only for members", () => {
  const session = createSession();
  session.setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(session.get().member).toBeNull();
  session.set(readBoot('{"member":{"uid":"u","credits":{"plan":"8"}}}'));
  session.setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(session.get().member?.credits).toEqual({ plan: 5, topUp: 0, held: 1 });
  session.becomeVisitor();
  expect(session.get().member).toBeNull();
});

test("the server's clock is the page's clock", () => {
  const ahead = Date.now() + 3_600_000;
  createSession({ ...VISITOR, serverTime: ahead });
  expect(Math.abs(now() - ahead)).toBeLessThan(1000);
});
