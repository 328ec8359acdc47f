import type { ByteRange } from "./ranges";
import { rangeOf } from "./ranges";
import type { KeptFile } from "./records";
import { isOver } from "./records";
import type { KeptStore } from "./store";

const lengthOf = ({ first, last }: ByteRange): number => last - first + 1;

const headersOf = ({ type, etag }: KeptFile): Headers =>
  new Headers({
    "Content-Type": type,
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    ...(etag && { ETag: etag }),
  });

/** The file that is kept under this address and may be heard now; null for one that is not kept. */
async function fileAt(store: KeptStore, url: string, now: number): Promise<KeptFile | null> {
  const keeper = await store.keeper();
  if (!keeper.open) return null;
  const items = await store.itemsWith(url);
  const heard = items.find((item) => !isOver(item, keeper, now));
  return heard?.files.find((file) => file.url === url) ?? null;
}

/**
 * Answers a request for a file from this device, as a server would: 200, 206 or 416. null where the file is not kept, may not be heard
 * any more, or the browser has lost bytes of it: the network is asked then. `path` is the address from the slash on.
 */
export async function answerKept(
  store: KeptStore,
  path: string,
  asked: Headers,
  now: number,
): Promise<Response | null> {
  const file = await fileAt(store, path, now);
  if (!file) return null;
  const headers = headersOf(file);
  const condition = asked.get("If-Range");
  const range = condition && condition !== file.etag ? "whole" : rangeOf(asked.get("Range"), file.bytes);
  if (range === "none") {
    headers.set("Content-Range", `bytes */${file.bytes}`);
    return new Response(null, { status: 416, headers });
  }
  const of = range === "whole" ? { first: 0, last: file.bytes - 1 } : range;
  const body = await store.bytes(path, of);
  if (body.byteLength !== lengthOf(of)) return null;
  headers.set("Content-Length", String(body.byteLength));
  if (range === "whole") return new Response(body, { headers });
  headers.set("Content-Range", `bytes ${of.first}-${of.last}/${file.bytes}`);
  return new Response(body, { status: 206, headers });
}
