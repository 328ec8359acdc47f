import { hydrateRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import page from "../../index.html?raw";
import { pressAgain } from "./pressed-early";

/** The last script of index.html, run in a page whose app is these modules. */
function written(files: readonly string[]) {
  const named = document.createElement("script");
  Object.assign(named, { type: "application/json", id: "app", textContent: JSON.stringify(files) });
  const scripts = new DOMParser().parseFromString(page, "text/html").querySelectorAll("script:not([type])");
  const script = document.createElement("script");
  script.textContent = [...scripts].at(-1)?.textContent ?? "";
  document.body.append(named, script);
}

const module = (says: string) => `data:text/javascript,document.documentElement.dataset.says="${says}"`;
const { dataset } = document.documentElement;

afterEach(() => {
  delete dataset["says"];
  document.body.replaceChildren();
  for (const added of document.head.querySelectorAll('[href^="data:"], [src^="data:"]')) added.remove();
});

test("a written page fetches its app after it was painted, the chunks at once and the first of them to run", async () => {
  document.body.append("The page");
  vi.spyOn(performance, "getEntriesByName").mockReturnValueOnce([]);
  written([module("app"), module("chunk")]);
  expect(document.head.querySelectorAll('[src^="data:"], [href^="data:"]')).toHaveLength(0);
  await expect.poll(() => dataset["says"]).toBe("app");
  expect(document.head.querySelectorAll('[rel="modulepreload"][href^="data:"]')).toHaveLength(2);
});

test("in a browser that never reports a paint the app comes all the same, once", async () => {
  vi.spyOn(performance, "getEntriesByName").mockReturnValue([]);
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      observe = () => undefined;
    },
  );
  written([module("app after a second")]);
  await expect.poll(() => dataset["says"]).toBe("app after a second");
  expect(document.head.querySelectorAll('[src^="data:"]')).toHaveLength(1);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a browser that knows no kind of entry to watch is not left without the app", async () => {
  vi.spyOn(performance, "getEntriesByName").mockReturnValue([]);
  vi.stubGlobal("PerformanceObserver", undefined);
  written([module("app all the same")]);
  await expect.poll(() => dataset["says"]).toBe("app all the same");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("buttons that were pressed before the app was there are pressed again, each once and in turn", () => {
  const pressed = vi.fn();
  written([]);
  const at = document.createElement("div");
  at.innerHTML = '<div><button type="button">Tee</button><button type="button">Tote</button></div>';
  document.body.append(at);
  const [tee, tote] = at.querySelectorAll("button");
  tote?.click();
  tee?.click();
  tote?.click();
  const root = hydrateRoot(
    at,
    <div>
      <button type="button" onClick={() => pressed("tee")}>
        Tee
      </button>
      <button type="button" onClick={() => pressed("tote")}>
        Tote
      </button>
    </div>,
  );
  pressAgain();
  expect(pressed.mock.calls).toEqual([["tote"], ["tee"]]);
  tee?.click();
  pressAgain();
  expect(pressed).toHaveBeenCalledTimes(3);
  root.unmount();
});
