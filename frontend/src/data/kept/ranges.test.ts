import { expect, test } from "vitest";
import { rangeOf } from "./ranges";

test.each([
  [null, "whole"],
  ["bytes=0-", { first: 0, last: 99 }],
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=10-19", { first: 10, last: 19 }],
  ["bytes=90-400", { first: 90, last: 99 }],
  ["bytes=99-", { first: 99, last: 99 }],
  ["bytes=-10", { first: 90, last: 99 }],
  ["bytes=-400", { first: 0, last: 99 }],
  ["bytes=100-", "none"],
  ["bytes=400-500", "none"],
  ["bytes=-0", "none"],
  ["bytes=20-10", "whole"],
  ["bytes=-", "whole"],
  ["bytes=0-1,4-5", "whole"],
  ["seconds=0-1", "whole"],
  ["bytes=a-b", "whole"],
] as const)("of 100 bytes, %s asks for %o", (header, range) => expect(rangeOf(header, 100)).toEqual(range));
