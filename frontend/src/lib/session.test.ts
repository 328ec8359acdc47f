import { afterEach, expect, test, vi } from "vitest";
import { readBoot, VISITOR } from "./boot";
import { now } from "./clock";
import { createSession, onMemberChange } from "./session";

const amara = readBoot('{"member":{"uid":"amara","credits":{"plan":"6"}}}');

afterEach(() => void vi.useRealTimers());

test("a balance from another answer shows at once, and only for members", () => {
  const session = createSession();
  session.setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(session.get().member).toBeNull();
  session.set(amara);
  session.setCredits({ plan: 5, topUp: 0, held: 1 });
  expect(session.get().member?.credits).toEqual({ plan: 5, topUp: 0, held: 1 });
  session.becomeVisitor();
  expect(session.get().member).toBeNull();
});

test("a change of member calls the listener, a change within the same member's session does not", () => {
  const session = createSession(amara);
  const changed = vi.fn();
  const stop = onMemberChange(session, changed);
  session.setCredits({ plan: 1, topUp: 0, held: 0 });
  expect(changed).not.toHaveBeenCalled();
  session.becomeVisitor();
  session.set(amara);
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  session.becomeVisitor();
  expect(changed).toHaveBeenCalledTimes(2);
});

test("the server's clock is the page's clock", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ahead = Date.now() + 3_600_000;
  createSession({ ...VISITOR, serverTime: ahead });
  expect(now()).toBe(ahead);
  vi.setSystemTime(Date.now() + 5000);
  expect(now()).toBe(ahead + 5000);
});
