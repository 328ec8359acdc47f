import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { show } from "@/testing/page";
import page from "../../../index.html?raw";
import { Veil } from "./Veil";

const root = document.documentElement;

/** The page as the build writes it, before the app has started: its markup, and what index.html does by itself. */
function beforeTheApp() {
  document.body.innerHTML = `<div id="root">${renderToStaticMarkup(<Veil />)}</div>`;
  const written = new DOMParser().parseFromString(page, "text/html").querySelector("script:not([type])");
  const script = document.createElement("script");
  script.textContent = written?.textContent ?? "";
  const boot = document.createElement("script");
  Object.assign(boot, { type: "application/json", id: "boot", textContent: "null" });
  document.body.append(boot, script);
  const veil = document.querySelector("[data-veil]");
  if (!veil) throw new Error("the build writes home with its veil");
  return { veil: getComputedStyle(veil).display, scrolls: getComputedStyle(root).overflowY !== "hidden" };
}

const forget = () => {
  sessionStorage.clear();
  delete root.dataset["entered"];
  document.body.replaceChildren();
};
beforeEach(forget);
afterEach(forget);

test("the first time the veil lies over the page from the first paint on", () => {
  expect(beforeTheApp()).toEqual({ veil: "grid", scrolls: false });
});

test("lifted once in this tab, it is hidden before the first paint, by the page itself", async () => {
  const { screen } = await show(<Veil />, { member: null });
  await screen.getByRole("button", { name: "Click to enter" }).click();
  await screen.unmount();
  expect(beforeTheApp()).toEqual({ veil: "none", scrolls: true });
});
