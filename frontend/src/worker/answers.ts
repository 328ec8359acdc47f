import { answerKept } from "@/data/kept/answer";
import type { KeptStore } from "@/data/kept/store";
import { paths } from "@/lib/paths";
import type { Shell } from "./shell";
import { DOCUMENT } from "./shell";

/** Of these addresses the gateway alone answers: none of them opens the app. */
const NOT_THE_APP = /^\/(auth|media|api|v1|docs|export|unsubscribe|webhooks)(\/|$)/;

/** What is to be done with a request; null leaves it to the browser. */
export type Way = "page" | "sound" | "file" | null;

/** The way of a request; `shell` says which of the app's files are here. */
export function wayOf({ method, mode, url }: Request, origin: string, shell: Pick<Shell, "has">): Way {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return null;
  if (mode === "navigate") return NOT_THE_APP.test(address.pathname) ? null : "page";
  if (address.pathname.startsWith("/media/")) return "sound";
  return shell.has(address.pathname) && !address.search ? "file" : null;
}

/**
 * A page: the gateway's, and where there is no line to it the app with what is kept. A member's page is never stored. `loaded` is the answer
 * that the browser has begun to fetch while the worker was starting.
 */
export async function page(
  request: Request,
  loaded: Promise<Response | undefined>,
  shell: Pick<Shell, "file">,
): Promise<Response> {
  try {
    return (await loaded) ?? (await fetch(request));
  } catch {
    const app = await shell.file(DOCUMENT);
    if (!app) return Response.error();
    if (new URL(request.url).pathname === paths.kept) return app;
    return Response.redirect(paths.kept);
  }
}

/** A sound or a picture: from this device where it is kept, else from the gateway. */
export async function sound(request: Request, store: KeptStore, now: number): Promise<Response> {
  const path = new URL(request.url).pathname;
  const kept = await answerKept(store, path, request.headers, now).catch(() => null);
  return kept ?? fetch(request);
}

/** A file of the app: one with a hash in its name never changes, of others the newest counts. */
export async function file(request: Request, shell: Pick<Shell, "file">): Promise<Response> {
  const path = new URL(request.url).pathname;
  if (path.startsWith("/assets/")) return (await shell.file(path)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch {
    return (await shell.file(path)) ?? Response.error();
  }
}
