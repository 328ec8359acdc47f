import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { spokenName } from "./spokenName";

const NAMES = new URL("../../../../services/generation/internal/script/testdata/names.json", import.meta.url);

it("offers to say the names that the writer says, and no others", async () => {
  const names = JSON.parse(await readFile(NAMES, "utf8")) as Record<string, string>;
  for (const [name, said] of Object.entries(names)) {
    expect([name, spokenName(name)]).toEqual([name, said ? name.trim() : ""]);
  }
});
