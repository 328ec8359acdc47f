import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { TWINS } from "./twins";
import table from "./twins.json";

/** An argument of the table as an answer has it. */
function argument(name: string, written: unknown): unknown {
  if (written === null) return undefined;
  if (typeof written === "object" && "amount" in written)
    return { ...written, amount: BigInt(Number(written.amount)) };
  if (["day", "date"].includes(name)) return timestampFromDate(new Date(String(written)));
  return written;
}

// The gateway's own test of the same table is gateway/internal/page/twins_test.go.
test("the app computes what the gateway computes", () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(TWINS).toSorted());
  for (const [name, by] of Object.entries<(...args: never[]) => unknown>(TWINS)) {
    const rows = table[name as keyof typeof TWINS] as [args: unknown[], said: string][];
    const computed = rows.map(([args]) => String(by(...(args.map((arg) => argument(name, arg)) as never[]))));
    expect([name, ...computed]).toEqual([name, ...rows.map(([, said]) => said)]);
    expect(computed).not.toEqual([]);
  }
});
