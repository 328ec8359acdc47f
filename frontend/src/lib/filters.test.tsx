import { useDeferredValue } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { show } from "@/testing/page";
import { SearchField } from "@/ui/SearchField";
import { useFilters, useTypedFilter } from "./filters";
import { ShownLocation, useBrowserLocation } from "./router";

/** Every address that was written, in its order. */
const written: string[] = [];

const note = () => written.push(window.location.search);
const watch = () => window.addEventListener("replaceState", note);

afterEach(() => {
  vi.useRealTimers();
  window.removeEventListener("replaceState", note);
  written.length = 0;
});

function List() {
  const { get, set } = useFilters();
  const { typed, type, settled } = useTypedFilter("search");
  return (
    <>
      <SearchField label="Search" value={typed} onChange={type} />
      <button type="button" onClick={() => set({ category: "sleep" })}>
        Sleep
      </button>
      <button type="button" onClick={() => set({ search: "" })}>
        Clear
      </button>
      <p>{`for ${settled} in ${get("category")}`}</p>
    </>
  );
}

/** As the app shows it: the page hears of its address a moment later. */
function Page() {
  return (
    <ShownLocation value={useDeferredValue(useBrowserLocation())}>
      <main>
        <List />
      </main>
    </ShownLocation>
  );
}

const field = () => document.querySelector("input");

test("what is typed is written once it rests, beside what else stands in the address and its entry", async () => {
  const { screen } = await show(<Page />, { path: "/list?of=mine", state: { from: "/journey" } });
  watch();
  await screen.getByLabelText("Search").click();
  // Between two letters there is no time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await userEvent.keyboard("rain on tin ");
  await expect.element(screen.getByText("for rain on tin in")).toBeVisible();
  expect(written).toEqual(["?of=mine&search=rain+on+tin"]);
  expect(window.history.state).toEqual({ from: "/journey" });
  expect(field()?.value).toBe("rain on tin ");
});

test("Back takes a chosen filter off, and stays on the page", async () => {
  const { screen } = await show(<Page />, { path: "/list?search=rain" });
  await screen.getByRole("button", { name: "Sleep" }).click();
  await expect.element(screen.getByText("for rain in sleep")).toBeVisible();
  await screen.getByRole("button", { name: "Sleep" }).click(); // again: no second entry
  window.history.back();
  await expect.element(screen.getByText("for rain in", { exact: true })).toBeVisible();
  expect(window.location.pathname).toBe("/list");
});

test("nothing that is typed is lost while the address follows", async () => {
  const { screen } = await show(<Page />, { path: "/list" });
  await screen.getByLabelText("Search").click();
  for (const [key, all] of [
    ["r", "r"],
    ["a", "ra"],
    ["in", "rain"],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.poll(() => window.location.search).toBe(`?search=${all}`);
    expect(field()?.value).toBe(all);
  }
});

test("another who changes the search has the last word, and another filter leaves it", async () => {
  const { screen } = await show(<Page />, { path: "/list?search=rain" });
  await expect.element(screen.getByLabelText("Search")).toHaveValue("rain");
  await screen.getByRole("button", { name: "Sleep" }).click();
  await expect.element(screen.getByText("for rain in sleep")).toBeVisible();
  await screen.getByRole("button", { name: "Clear" }).click();
  await expect.element(screen.getByLabelText("Search")).toHaveValue("");
  await expect.element(screen.getByText("for in sleep")).toBeVisible();
});

test("a page that is being left writes nothing into the next one's address", async () => {
  const { screen } = await show(
    <ShownLocation value={{ pathname: "/list", search: "", hash: "", state: null }}>
      <main>
        <List />
      </main>
    </ShownLocation>,
    { path: "/elsewhere" },
  );
  watch();
  await screen.getByRole("button", { name: "Sleep" }).click();
  expect(written).toEqual([]);
  expect(window.location.href).toMatch(/\/elsewhere$/);
});
