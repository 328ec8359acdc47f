import { expect, onTestFinished, test, vi } from "vitest";
import { keptItem, storeWith } from "@/testing/kept";
import { file, page, sound, wayOf } from "./answers";

const ORIGIN = "https://serein.example";
const FILES = ["/assets/a.js", "/icon.svg"];
const shell = {
  has: (path: string) => FILES.includes(path),
  file: (path: string) => Promise.resolve(new Response(`kept ${path}`)),
};

const request = (path: string, more: { method?: string; mode?: string; origin?: string } = {}) =>
  ({
    method: "GET",
    mode: "no-cors",
    url: `${more.origin ?? ORIGIN}${path}`,
    headers: new Headers(),
    ...more,
  }) as Request;

function network(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", answer);
  onTestFinished(() => void vi.unstubAllGlobals());
}

const away = () => network(() => Promise.reject(new TypeError("away")));

test.each([
  [request("/journey", { mode: "navigate" }), "page"],
  [request("/auth/sign-in", { mode: "navigate" }), null],
  [request("/media/receipts/1", { mode: "navigate" }), null],
  [request("/media/meditations/1/audio"), "sound"],
  [request("/media/meditations/1/audio", { method: "HEAD" }), null],
  [request("/assets/a.js"), "file"],
  [request("/assets/b.js"), null],
  [request("/assets/a.js?again"), null],
  [request("/icon.svg", { origin: "https://elsewhere.example" }), null],
  [request("/serein.web.v1.SessionService/GetSession"), null],
  [request("/serein.web.v1.SessionService/SignOut", { method: "POST" }), null],
])("request %# is answered as it should be", (asked, way) => expect(wayOf(asked, ORIGIN, shell)).toBe(way));

test("a page is the gateway's while there is a line to it", async () => {
  network(() => Promise.resolve(new Response("asked")));
  const journey = request("/journey", { mode: "navigate" });
  const loaded = Promise.resolve(new Response("loaded"));
  expect(await (await page(journey, loaded, shell)).text()).toBe("loaded");
  expect(await (await page(journey, Promise.resolve(undefined), shell)).text()).toBe("asked");
});

test("a page that says that something failed is the gateway's too", async () => {
  network(() => Promise.resolve(new Response("busy", { status: 503 })));
  expect((await page(request("/kept"), Promise.resolve(undefined), shell)).status).toBe(503);
});

test("without a line every page leads to what is kept, and that one opens", async () => {
  away();
  const lost = () => Promise.reject<Response>(new TypeError("away"));
  const led = await page(request("/journey/1"), lost(), shell);
  expect(led.status).toBe(302);
  expect(new URL(led.headers.get("Location") ?? "").pathname).toBe("/kept");
  expect(await (await page(request("/kept"), lost(), shell)).text()).toBe("kept /offline.html");
  const without = { file: () => Promise.resolve(undefined) };
  expect((await page(request("/kept"), lost(), without)).type).toBe("error");
});

test("a sound that is kept is not asked for, another is", async () => {
  network(() => Promise.resolve(new Response("from the gateway")));
  const store = await storeWith(keptItem({}, 3));
  const kept = await sound(request("/media/meditations/m1/audio"), store, 0);
  expect(new Uint8Array(await kept.arrayBuffer())).toEqual(Uint8Array.of(0, 1, 2));
  expect(await (await sound(request("/media/meditations/m2/audio"), store, 0)).text()).toBe(
    "from the gateway",
  );
});

test("a file with a hash in its name is taken from here, of others the newest counts", async () => {
  network(() => Promise.resolve(new Response("new")));
  expect(await (await file(request("/assets/a.js"), shell)).text()).toBe("kept /assets/a.js");
  expect(await (await file(request("/icon.svg"), shell)).text()).toBe("new");
  away();
  expect(await (await file(request("/icon.svg"), shell)).text()).toBe("kept /icon.svg");
});
