import { KeptStore } from "@/data/kept/store";
import { file, page, sound, wayOf } from "./answers";
import type { ShellFile } from "./shell";
import { Shell } from "./shell";

/**
 * Opens the app and plays what is kept where there is no line to the gateway. Built by scripts/worker.mjs, which puts the list of files
 * here; registered when something is kept for the first time (data/kept/worker.ts).
 */

declare const __SHELL__: { version: string; files: readonly ShellFile[] };

/** An event of a service worker that lasts until what it waits for is done. */
interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface Fetching extends Lasting {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (answer: Promise<Response>) => void;
}

/** What the worker needs of its global scope: TypeScript's library for pages has no service worker in it. */
interface WorkerScope {
  clients: { claim: () => Promise<void> };
  registration: ServiceWorkerRegistration;
  addEventListener: ((type: "install" | "activate", run: (event: Lasting) => void) => void) &
    ((type: "fetch", run: (event: Fetching) => void) => void);
}

const scope = globalThis as unknown as WorkerScope;
const shell = new Shell(caches, __SHELL__.version, __SHELL__.files);
const store = new KeptStore();

async function activate(): Promise<void> {
  await shell.dropOlder();
  await scope.registration.navigationPreload?.enable();
  // The page that has just kept something is answered too.
  await scope.clients.claim();
}

scope.addEventListener("install", (event) => event.waitUntil(shell.install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const way = wayOf(request, location.origin, shell);
  if (way === "page") event.respondWith(page(request, event.preloadResponse, shell));
  if (way === "sound") event.respondWith(sound(request, store, Date.now()));
  if (way === "file") event.respondWith(file(request, shell));
});
