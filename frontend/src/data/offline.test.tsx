import { useQuery } from "@connectrpc/connect-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stoppedUpdating } from "@/copy/lost";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { createData } from "./data";
import { DataProvider } from "./DataProvider";
import { toUserError } from "./errors";
import { HEAL } from "./query";
import { lookAgain } from "./shop";
import { createTransport } from "./transport";

type Read = { data: unknown; error: unknown };
const shown = ({ data, error }: Read) => (
  <main>{data ? "The plans" : error ? toUserError(error).title : "Loading"}</main>
);

function Page() {
  return shown(useQuery(ShopService.method.getMemberships, {}));
}

/** Its read sets a refetch interval, and every plan in the answer can be bought. */
function Shop() {
  const refetchInterval = (query: Parameters<typeof lookAgain>[0]) => lookAgain(query, false);
  return shown(useQuery(ShopService.method.getMemberships, {}, { refetchInterval }));
}

/** The browser's line; down, each call fails as a browser's does. */
const line = { up: true, calls: 0 };
function turn(up: boolean) {
  line.up = up;
  window.dispatchEvent(new Event(up ? "online" : "offline"));
}

beforeEach(() => {
  Object.assign(line, { up: true, calls: 0 });
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => line.up);
  vi.stubGlobal("fetch", () => {
    line.calls++;
    if (!line.up) return Promise.reject(new TypeError("Failed to fetch"));
    return Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } }));
  });
});
afterEach(() => {
  turn(true);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = () => {
  const session = createSession({ ...VISITOR });
  return show(
    <DataProvider data={createData(session, createTransport(session))}>
      <Page />
    </DataProvider>,
  );
};

test("a call that failed offline is repeated when the line is back, and the page heals by itself", async () => {
  line.up = false; // the browser has not noticed yet
  const { screen } = await open();
  await expect.element(screen.getByText("You’re offline")).toBeVisible();
  const failed = line.calls;
  turn(false);
  turn(true);
  await expect.element(screen.getByText("The plans")).toBeVisible();
  expect(line.calls).toBe(failed + 1);
});

test("a page that was opened without a line heals as well", async () => {
  turn(false);
  const { screen } = await open();
  await expect.element(screen.getByText("You’re offline")).toBeVisible();
  const failed = line.calls;
  turn(true);
  await expect.element(screen.getByText("The plans")).toBeVisible();
  expect(line.calls).toBe(failed + 1);
});

test.each([
  ["what is shown from before, and could not be brought up to date, is asked for again by itself", Page],
  ["and so is a read that sets its own refetch interval", Shop],
])("%s", async (_, Shown) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  try {
    const session = createSession({ ...VISITOR });
    const data = createData(session, createTransport(session));
    const { screen } = await show(
      <DataProvider data={data}>
        <Shown />
      </DataProvider>,
    );
    await expect.element(screen.getByText("The plans")).toBeVisible();
    line.up = false; // nobody notices: the server is away, the line is not
    const answered = line.calls;
    void data.queryClient.invalidateQueries();
    await vi.advanceTimersByTimeAsync(9_000);
    const failed = line.calls;
    expect(failed).toBeGreaterThan(answered);
    await expect.element(screen.getByText("The plans")).toBeVisible();
    line.up = true;
    await vi.advanceTimersByTimeAsync(11_000);
    expect(line.calls).toBe(failed + 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(line.calls).toBe(failed + 1);
  } finally {
    vi.useRealTimers();
  }
});

test("what cannot be brought up to date is not asked for without end: it is said, and a look at the page begins again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const said: string[] = [];
  const hear = () => said.push(...toaster.list.get().map(({ text }) => text));
  const unsubscribe = toaster.list.subscribe(hear);
  try {
    const session = createSession({ ...VISITOR });
    const data = createData(session, createTransport(session));
    const { screen } = await show(
      <DataProvider data={data}>
        <Page />
      </DataProvider>,
    );
    await expect.element(screen.getByText("The plans")).toBeVisible();
    line.up = false;
    void data.queryClient.invalidateQueries();
    await vi.advanceTimersByTimeAsync(9_000);
    const failed = line.calls;
    const triesOfOne = failed - 1;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(line.calls).toBe(failed + HEAL.times * triesOfOne);
    expect(said).toContain(stoppedUpdating);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(line.calls).toBe(failed + HEAL.times * triesOfOne);
    await expect.element(screen.getByText("The plans")).toBeVisible();
    line.up = true;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    await vi.advanceTimersByTimeAsync(0);
    expect(line.calls).toBe(failed + HEAL.times * triesOfOne + 1);
  } finally {
    unsubscribe();
    vi.useRealTimers();
  }
});
