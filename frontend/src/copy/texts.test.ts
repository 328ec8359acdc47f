import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { privacy } from "./privacy";
import { terms } from "./terms";
import { TERMS_VERSION } from "./texts";

/** Every version that was ever shown, and its text's fingerprint. Versions are added here, never changed. */
const TERMS: Record<string, string> = {
  "2026-11-21": "74b671af09919969",
};
const PRIVACY: Record<string, string> = {
  "2026-11-21": "cfe77efddfe22d92",
};

const fingerprint = ({ lead, sections }: { lead: string; sections: unknown }) =>
  createHash("sha256")
    .update(JSON.stringify([lead, sections]))
    .digest("hex")
    .slice(0, 16);

test("a changed text has a new version", () => {
  expect({ [terms.version]: fingerprint(terms) }).toEqual({ [terms.version]: TERMS[terms.version] });
  expect({ [privacy.version]: fingerprint(privacy) }).toEqual({
    [privacy.version]: PRIVACY[privacy.version],
  });
});

test("whoever accepts both accepts the later version, which is a day", () => {
  expect(TERMS_VERSION).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(TERMS_VERSION >= terms.version && TERMS_VERSION >= privacy.version).toBe(true);
});
