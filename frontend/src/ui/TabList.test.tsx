import { useState } from "react";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { panelProps, TabList } from "./TabList";

const TABS = [
  { id: "all", label: "All", count: 12 },
  { id: "articles", label: "Articles", count: 7 },
  { id: "library", label: "Library" },
];

function Results() {
  const [selected, select] = useState("all");
  return (
    <main>
      <h1>Results</h1>
      <TabList label="Kinds" tabs={TABS} selected={selected} onSelect={select} base="kind-" />
      <div role="tabpanel" {...panelProps("kind-", selected)}>
        The panel of {selected}
      </div>
    </main>
  );
}

const tabs = (root: Element) => [...root.querySelectorAll<HTMLElement>('[role="tab"]')];

test("each tab has its name and its count, and the chosen one is joined to its panel", async () => {
  const { screen } = await show(<Results />);
  await expect.element(screen.getByRole("tab", { name: "All 12" })).toHaveAttribute("aria-selected", "true");
  await expect
    .element(screen.getByRole("tab", { name: "Library" }))
    .toHaveAttribute("aria-selected", "false");
  await expect
    .element(screen.getByRole("tabpanel", { name: "All 12" }))
    .toHaveTextContent("The panel of all");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("tab", { name: "Articles 7" }).click();
  await expect.element(screen.getByRole("tabpanel", { name: "Articles 7" })).toBeVisible();
});

test("arrow keys go round, Home and End to the ends, and what is chosen has the focus", async () => {
  const { screen } = await show(<Results />);
  await screen.getByRole("tab", { name: "All 12" }).click();
  for (const [key, label] of [
    ["ArrowLeft", "Library"],
    ["ArrowRight", "All 12"],
    ["ArrowRight", "Articles 7"],
    ["End", "Library"],
    ["ArrowRight", "All 12"],
    ["End", "Library"],
    ["Home", "All 12"],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    const tab = screen.getByRole("tab", { name: label });
    await expect.element(tab).toHaveFocus();
    await expect.element(tab).toHaveAttribute("aria-selected", "true");
  }
});

test("one tab alone is a stop of the Tab key, and other keys choose nothing", async () => {
  const { screen } = await show(<Results />);
  await screen.getByRole("tab", { name: "Articles 7" }).click();
  expect(tabs(screen.container).map((tab) => tab.tabIndex)).toEqual([-1, 0, -1]);
  await userEvent.keyboard("a");
  await userEvent.keyboard("{ArrowDown}");
  await expect
    .element(screen.getByRole("tab", { name: "Articles 7" }))
    .toHaveAttribute("aria-selected", "true");
});
