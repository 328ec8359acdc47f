import type { KeptFile } from "./records";

/** Why a file cannot be had now. */
export type FileTrouble =
  /** It does not exist, or this member may not hear it. */
  | "gone"
  /** The line broke, or the gateway is away. */
  | "line"
  /** Other bytes came than were announced. */
  | "changed";

export class FileFailure extends Error {
  override name = "FileFailure";
  readonly trouble: FileTrouble;

  constructor(trouble: FileTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

const GONE: readonly number[] = [401, 403, 404, 410];

/** Asks past every cache. The service worker leaves HEAD to the network. */
async function ask(url: string, method: "GET" | "HEAD", signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(url, { method, cache: "no-store", ...(signal && { signal }) }).catch(
    (cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new FileFailure("line");
    },
  );
  if (!answer.ok) throw new FileFailure(GONE.includes(answer.status) ? "gone" : "line");
  return answer;
}

const etagOf = (answer: Response): string => answer.headers.get("ETag") ?? "";

/** What a file is and how many bytes it has, without its bytes. Throws FileFailure. */
export async function describe(url: string, signal?: AbortSignal): Promise<KeptFile> {
  const answer = await ask(url, "HEAD", signal);
  const bytes = Number(answer.headers.get("Content-Length"));
  if (!bytes) throw new FileFailure("line");
  return { url, bytes, type: answer.headers.get("Content-Type") ?? "", etag: etagOf(answer) };
}

/** The bytes of an answer; `onBytes` hears how many came at a time. */
async function bodyOf(answer: Response, size: number, onBytes: (n: number) => void): Promise<ArrayBuffer> {
  const body = new Uint8Array(size);
  let at = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined };
    if (done) break;
    if (at + value.byteLength > size) throw new FileFailure("changed");
    body.set(value, at);
    at += value.byteLength;
    onBytes(value.byteLength);
  }
  if (at !== size) throw new FileFailure("line");
  return body.buffer;
}

/** Fetches a file that was described: exactly its bytes. Throws FileFailure, or AbortError by the signal. */
export async function download(
  file: KeptFile,
  signal: AbortSignal,
  onBytes: (n: number) => void,
): Promise<ArrayBuffer> {
  const answer = await ask(file.url, "GET", signal);
  if (etagOf(answer) !== file.etag) throw new FileFailure("changed");
  try {
    return await bodyOf(answer, file.bytes, onBytes);
  } catch (cause) {
    if (signal.aborted || cause instanceof FileFailure) throw cause;
    throw new FileFailure("line");
  }
}
