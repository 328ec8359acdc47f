import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { SignUpRequestRules } from "@/gen/serein/web/v1/account_rules";
import { privacy } from "./privacy";
import { terms } from "./terms";
import { TERMS_VERSION } from "./texts";

/** Every version that was ever shown, and its text's fingerprint. Versions are added here, never changed. */
const TERMS: Record<string, string> = {
  "2026-11-21": "74b671af09919969",
};
const PRIVACY: Record<string, string> = {
  "2026-11-21": "cfe77efddfe22d92",
  "2026-11-22": "aee1eca50ccc7f12",
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

test("whoever accepts both accepts a version that signing up takes", () => {
  expect(TERMS_VERSION).toMatch(new RegExp(SignUpRequestRules.termsVersion.pattern));
});

test("the version names both texts, also where they are of different days", async () => {
  vi.resetModules();
  vi.doMock("./terms", () => ({ terms: { version: "2026-10-01" } }));
  vi.doMock("./privacy", () => ({ privacy: { version: "2026-10-20" } }));
  const changed = await import("./texts");
  expect(changed.TERMS_VERSION).toBe("terms 2026-10-01, privacy 2026-10-20");
});
