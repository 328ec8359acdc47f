/** Which bytes of a file are asked for, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a Range header for a file of `size` bytes (RFC 9110, 14.1.2). "whole" without one, and for what a server may ignore:
 * several ranges, other units, a header that cannot be read. "none" where the file has no such byte: the answer is 416.
 */
export function rangeOf(header: string | null, size: number): ByteRange | "whole" | "none" {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (!from && !to) return "whole";
  if (!from) {
    const length = Math.min(Number(to), size);
    return length > 0 ? { first: size - length, last: size - 1 } : "none";
  }
  const first = Number(from);
  const last = to ? Math.min(Number(to), size - 1) : size - 1;
  if (to && Number(to) < first) return "whole";
  return first < size ? { first, last } : "none";
}
