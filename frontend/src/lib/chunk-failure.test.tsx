import { afterEach, expect, test } from "vitest";
import { cdp } from "vitest/browser";
import { loadAgain } from "./chunk-failure";

const ADDRESS = "/src/styles/tokens.css?part";

/** Asks for the style sheet, and answers with what became of it. */
function ask(): Promise<string> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = ADDRESS;
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const end of ["load", "error"]) link.addEventListener(end, () => resolve(end));
  document.head.append(link);
  return promise;
}

const rulesOf = (link: HTMLLinkElement | null) => {
  try {
    return link?.sheet?.cssRules.length ?? 0;
  } catch {
    return 0;
  }
};

afterEach(async () => {
  await cdp().send("Network.setBlockedURLs", { urls: [] });
  for (const link of document.querySelectorAll(`link[href="${ADDRESS}"]`)) link.remove();
});

test("a part that is fetched again has its styles, though the network had refused them", async () => {
  await cdp().send("Network.enable");
  await cdp().send("Network.setBlockedURLs", { urls: ["*tokens.css?part"] });
  expect(await ask()).toBe("error");
  await cdp().send("Network.setBlockedURLs", { urls: [] });
  expect(await loadAgain(() => Promise.resolve("the part"), new Error("offline"))).toBe("the part");
  expect(rulesOf(document.querySelector(`link[href="${ADDRESS}"]`))).toBeGreaterThan(0);
});

test("a style sheet that has come is not fetched once more", async () => {
  expect(await ask()).toBe("load");
  const before = document.querySelector(`link[href="${ADDRESS}"]`);
  await loadAgain(() => Promise.resolve("the part"), new Error("offline"));
  expect(document.querySelector(`link[href="${ADDRESS}"]`)).toBe(before);
});
