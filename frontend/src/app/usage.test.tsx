import type { Transport } from "@connectrpc/connect";
import { Code, createRouterTransport } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { createData } from "@/data/data";
import { UsageService } from "@/gen/serein/web/v1/usage_pb";
import type { Member } from "@/lib/boot";
import { VISITOR } from "@/lib/boot";
import { goTo } from "@/lib/router";
import { createSession } from "@/lib/session";
import { SESSION_CHANNEL } from "@/lib/sign-in";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { patternAt } from "./routes";
import { watchTabs } from "./tabs";

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.restoreAllMocks();
  window.history.replaceState(null, "", "/");
});

/** A tab at that address, and what it reports; the gateway answers so. */
function tab(who: Member | null, path: string, answer: () => boolean = () => true) {
  window.history.replaceState(null, "", path);
  const reported: string[] = [];
  const transport: Transport = createRouterTransport(({ rpc }) => {
    rpc(UsageService.method.reportPage, ({ route }) => {
      reported.push(route);
      return { counted: answer() };
    });
  });
  const session = createSession({ ...VISITOR, member: who, serverTime: Date.now() });
  const data = createData(session, transport);
  ends.push(watchTabs(session, () => Promise.resolve(data), patternAt).close);
  return { session, reported };
}

/** What other tabs are told when the answer about analytics changes. */
function say(analytics: boolean): void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage({ type: "consents", analytics });
  channel.close();
}

const agreed = (more?: Partial<Member>) => member({ analytics: true, ...more });

/** Resolves when the chunk has loaded: by then the app has reported every page that a counted member has opened. */
const loaded = () => import("./usage");

test("who has agreed reports the pattern of each page that is opened, and nothing of its address", async () => {
  const { reported } = tab(agreed(), "/journey/0193f2c0-0000-7000-8000-000000000001?search=grief#top");
  await expect.poll(() => reported).toEqual(["/journey/:id"]);
  goTo("/articles/rest-is-not-a-reward");
  goTo("/articles?search=grief");
  goTo("/articles?search=grieving");
  await expect.poll(() => reported).toEqual(["/journey/:id", "/articles/:slug", "/articles"]);
});

test("what is no page, and what the member may not open, is not reported", async () => {
  const { reported } = tab(agreed(), "/nowhere/amara@lakehouse.example");
  await loaded();
  goTo("/admin");
  goTo("/about");
  await expect.poll(() => reported).toEqual(["/about"]);
});

// Reports keep their order: what was reported before they agree would stand first.
test.each([
  ["a visitor", null],
  ["a member who has not agreed", member()],
])("%s reports nothing until they agree", async (_, who) => {
  const { session, reported } = tab(who, "/");
  await loaded();
  goTo("/about");
  session.set({ ...session.get(), member: agreed() });
  await expect.poll(() => reported).toEqual(["/about"]);
});

test("a browser that asks not to be counted is not, whatever was agreed to", async () => {
  Object.defineProperty(navigator, "globalPrivacyControl", { value: true, configurable: true });
  const { session, reported } = tab(agreed(), "/");
  await loaded();
  Reflect.deleteProperty(navigator, "globalPrivacyControl");
  const track = vi.spyOn(navigator, "doNotTrack", "get").mockReturnValue("1");
  session.setConsentsGiven(true);
  await loaded();
  track.mockRestore();
  goTo("/about");
  session.setConsentsGiven(true);
  await expect.poll(() => reported).toEqual(["/about"]);
});

test("it begins when it is agreed to, ends at once in every tab when that is taken back, and begins again", async () => {
  const { session, reported } = tab(member(), "/");
  say(true);
  await expect.poll(() => reported).toEqual(["/"]);
  say(false);
  await expect.poll(() => session.get().member?.analytics).toBe(false);
  goTo("/about");
  goTo("/contact");
  say(true);
  await expect.poll(() => reported).toEqual(["/", "/contact"]);
});

test("it ends when the session does", async () => {
  const { session, reported } = tab(agreed(), "/");
  await expect.poll(() => reported).toEqual(["/"]);
  session.becomeVisitor();
  goTo("/about");
  goTo("/contact");
  session.set({ ...session.get(), member: agreed() });
  await expect.poll(() => reported).toEqual(["/", "/contact"]);
});

test("where the gateway counts no more, nothing more is reported", async () => {
  const { session, reported } = tab(agreed(), "/", () => false);
  await expect.poll(() => session.get().member?.analytics).toBe(false);
  goTo("/about");
  goTo("/contact");
  session.setConsentsGiven(true);
  await expect.poll(() => reported).toEqual(["/", "/contact"]);
});

test("a report that fails is nobody's business, and the next is made", async () => {
  let tries = 0;
  const { session, reported } = tab(agreed(), "/", () => {
    if (tries++ === 0) throw failure(Code.Unavailable, "no", "UNAVAILABLE", "");
    return true;
  });
  await expect.poll(() => reported).toEqual(["/"]);
  goTo("/about");
  await expect.poll(() => reported).toEqual(["/", "/about"]);
  expect(session.get().member?.analytics).toBe(true);
});
