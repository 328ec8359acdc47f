import { expect, onTestFinished, test, vi } from "vitest";
import { Shell } from "./shell";

/** A version of the app: one file of that text. */
async function files(text: string) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const integrity = `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
  return ["/offline.html", "/assets/a.js"].map((url) => ({ url, integrity }));
}

/** The gateway with a version of the app; a browser checks the hash itself, and so does this. */
function serve(text: string, but: Record<string, string> = {}) {
  vi.stubGlobal("fetch", async (url: string, { integrity }: RequestInit) => {
    const body = but[url] ?? text;
    const made = await files(body);
    if (made[0]?.integrity !== integrity) throw new TypeError("the hash is another");
    return new Response(body);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}

async function version(text: string): Promise<Shell> {
  onTestFinished(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  return new Shell(caches, text, await files(text));
}

const textOf = async (shell: Shell) => (await shell.file("/offline.html"))?.text();

test("the older version answers until the newer one is whole, and then its files go", async () => {
  const [older, newer] = [await version("one"), await version("two")];
  serve("one");
  await older.install();
  serve("two");
  await newer.install();
  expect(await textOf(older)).toBe("one");
  expect(await textOf(newer)).toBe("two");
  await newer.dropOlder();
  expect(await caches.keys()).toEqual(["serein-shell-two"]);
});

test("a version of which a file cannot be had as it was built leaves nothing, and the older one stays", async () => {
  const [older, newer] = [await version("one"), await version("two")];
  serve("one");
  await older.install();
  serve("two", { "/assets/a.js": "three" });
  await expect(newer.install()).rejects.toThrow("the hash is another");
  expect(await caches.keys()).toEqual(["serein-shell-one"]);
  expect(await textOf(older)).toBe("one");
});

test("an update removes no cache of anybody else", async () => {
  await caches.open("another");
  serve("one");
  const shell = await version("one");
  await shell.install();
  await shell.dropOlder();
  expect((await caches.keys()).toSorted()).toEqual(["another", "serein-shell-one"]);
});
