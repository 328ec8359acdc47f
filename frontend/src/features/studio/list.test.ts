import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { MadeSchema } from "@/gen/serein/web/v1/studio_pb";
import { changed, idOf, rowsOf, UNCHANGED } from "./list";

const made = (id: string) => create(MadeSchema, { item: { id }, title: id });
const [lake, rain, dunes] = [made("lake"), made("rain"), made("dunes")];
const listed = [lake, rain, dunes];

test("a row that was verified stays in its place though the server lists it no more, and closes the open sound", () => {
  const played = changed(UNCHANGED, { type: "played", id: "rain" });
  const after = changed(played, { type: "done", result: { made: rain, act: "verified" }, shown: listed });
  expect(after.playing).toBe("");
  expect(after.results.get("rain")?.act).toBe("verified");
  expect(rowsOf([lake, dunes], after).map(idOf)).toEqual(["lake", "rain", "dunes"]);
});

test("a row that was restored is the server's again, in its place, and leaves the open sound alone", () => {
  const deleted = changed(UNCHANGED, { type: "done", result: { made: lake, act: "deleted" }, shown: listed });
  const played = changed(deleted, { type: "played", id: "dunes" });
  const after = changed(played, { type: "restored", made: lake, shown: listed });
  expect(after.results.size).toBe(0);
  expect(after.playing).toBe("dunes");
  expect(rowsOf([rain, dunes, lake], after).map(idOf)).toEqual(["lake", "rain", "dunes"]);
});

test("what is new comes after the rows that keep their places", () => {
  const after = changed(UNCHANGED, { type: "done", result: { made: lake, act: "deleted" }, shown: listed });
  expect(rowsOf([made("new"), ...listed], after).map(idOf)).toEqual(["lake", "rain", "dunes", "new"]);
});
