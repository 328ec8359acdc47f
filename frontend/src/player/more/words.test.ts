import { expect, it } from "vitest";
import { wordsOf } from "./words";

const VTT = `WEBVTT

00:00:06.000 --> 00:00:08.500
Rest &amp; be &lt;still&gt;.

00:00:09.300 --> 00:00:11.300
Nothing more is asked.

01:00:15.300 --> 01:00:17.000
Stay.
`;

it("lines have their times, and a silence stands between those that are apart", () => {
  expect(wordsOf(VTT)).toEqual([
    { kind: "line", text: "Rest & be <still>.", startMs: 6_000, endMs: 8_500 },
    { kind: "line", text: "Nothing more is asked.", startMs: 9_300, endMs: 11_300 },
    { kind: "quiet", startMs: 11_300, lengthMs: 3_604_000 },
    { kind: "line", text: "Stay.", startMs: 3_615_300, endMs: 3_617_000 },
  ]);
});

it("what is none of it has no lines", () => {
  expect(wordsOf("")).toEqual([]);
  expect(wordsOf("<!doctype html>\n\n<p>Not found</p>")).toEqual([]);
});
