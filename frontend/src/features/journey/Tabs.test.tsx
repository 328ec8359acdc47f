import { useState } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { Tabs } from "./Tabs";

const NAMES = ["Bespoke", "Saved", "Deleted"];

/** Three tabs on a page that is longer than the window. */
function Page({ first = "Bespoke", onSelect }: { first?: string; onSelect?: (id: string) => void }) {
  const [selected, select] = useState(first);
  const tabs = NAMES.map((name, i) => ({
    id: name,
    label: name,
    count: i,
    panel: <p style={{ height: 3000 }}>{name} panel</p>,
  }));
  return (
    <main>
      <h1 style={{ height: 300 }}>My Journey</h1>
      <Tabs
        label="My Journey"
        tabs={tabs}
        selected={selected}
        onSelect={(id) => {
          onSelect?.(id);
          select(id);
        }}
      />
    </main>
  );
}

const rail = (): HTMLElement => {
  const found = document.querySelector('[role="tabpanel"]')?.parentElement;
  if (!found) throw new Error("there is no rail");
  return found;
};

test("the page opens at its top, whichever tab is chosen", async () => {
  const { screen } = await show(<Page first="Deleted" />);
  await expect.element(screen.getByText("Deleted panel")).toBeInViewport();
  expect(window.scrollY).toBe(0);
  expect(rail().scrollLeft).toBeGreaterThan(0);
});

test("arrow keys move between the tabs, around the ends, and only the chosen one is a tab stop", async () => {
  const { screen } = await show(<Page />);
  await userEvent.tab();
  await expect.element(screen.getByRole("tab", { name: /Bespoke/ })).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(screen.getByRole("tab", { name: /Deleted/ })).toHaveFocus();
  await expect.element(screen.getByRole("tab", { name: /Deleted/ })).toHaveAttribute("aria-selected", "true");
  await expect.element(screen.getByText("Deleted panel")).toBeInViewport();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(screen.getByText("Bespoke panel")).toBeInViewport();
  expect(window.scrollY).toBe(0);
});

test("End chooses the last tab, Home the first", async () => {
  const { screen } = await show(<Page />);
  await userEvent.tab();
  await userEvent.keyboard("{End}");
  await expect.element(screen.getByRole("tab", { name: /Deleted/ })).toHaveFocus();
  await userEvent.keyboard("{Home}");
  await expect.element(screen.getByRole("tab", { name: /Bespoke/ })).toHaveFocus();
  await expect.element(screen.getByRole("tab", { name: /Bespoke/ })).toHaveAttribute("aria-selected", "true");
});

test("a panel that is swiped into view chooses its tab", async () => {
  const onSelect = vi.fn();
  const { screen } = await show(<Page onSelect={onSelect} />);
  rail().scrollTo({ left: rail().clientWidth });
  await expect.element(screen.getByRole("tab", { name: /Saved/ })).toHaveAttribute("aria-selected", "true");
  expect(onSelect).toHaveBeenCalledExactlyOnceWith("Saved");
});

test("a window that changes its width keeps the panel that is looked at", async () => {
  const onSelect = vi.fn();
  const { screen } = await show(
    <div id="window" style={{ width: 800 }}>
      <Page first="Deleted" onSelect={onSelect} />
    </div>,
  );
  await expect.element(screen.getByText("Deleted panel")).toBeInViewport();
  const panel = screen.getByRole("tabpanel", { name: /Deleted/ });
  for (const width of ["400px", "700px"]) {
    const box = document.getElementById("window");
    if (box) box.style.width = width;
    const off = () =>
      Math.abs(
        panel.element().getBoundingClientRect().left -
          rail().getBoundingClientRect().left -
          Number.parseFloat(getComputedStyle(rail()).paddingLeft),
      );
    await expect.poll(off).toBeLessThan(2);
  }
  expect(onSelect).not.toHaveBeenCalled();
});

test("the chosen tab stays in view when the counts come", async () => {
  const names = ["Introduction Meditations", "Bespoke Meditations", "Library Meditations", "My Articles"];
  const Counted = () => {
    const [count, setCount] = useState<number>();
    return (
      <div style={{ width: 320 }}>
        <button type="button" onClick={() => setCount(1234)}>
          Count
        </button>
        <Tabs
          label="My Journey"
          tabs={names.map((id) => ({ id, label: id, count, panel: <p>{id} panel</p> }))}
          selected="My Articles"
          onSelect={() => {}}
        />
      </div>
    );
  };
  const { screen } = await show(<Counted />);
  const seen = () => {
    const [tab, list] = [screen.getByRole("tab", { name: /My Articles/ }), screen.getByRole("tablist")];
    return tab.element().getBoundingClientRect().right <= list.element().getBoundingClientRect().right + 1;
  };
  await expect.poll(seen).toBe(true);
  await screen.getByRole("button", { name: "Count" }).click();
  await expect.element(screen.getByRole("tab", { name: "My Articles 1234" })).toBeInTheDocument();
  await expect.poll(seen).toBe(true);
});

test("a lone panel has no tab", async () => {
  const alone = [{ id: "Bespoke", label: "Bespoke", panel: <p>Bespoke panel</p> }];
  const { screen } = await show(
    <Tabs label="My Journey" tabs={alone} selected="Bespoke" onSelect={() => {}} />,
  );
  await expect.element(screen.getByText("Bespoke panel")).toBeInViewport();
  expect(screen.getByRole("tab").query()).toBeNull();
  expect(screen.getByRole("tabpanel").query()).toBeNull();
});

test("is accessible", async () => {
  await show(<Page />);
  expect(await axeFaults()).toEqual([]);
});
