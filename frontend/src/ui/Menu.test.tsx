import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { Menu } from "./Menu";

async function open() {
  const [rename, mark] = [vi.fn(), vi.fn()];
  const { screen } = await show(
    <main>
      <h1>A card</h1>
      <Menu
        label="More for Rest"
        items={[
          { name: "Rename", run: rename },
          { name: "Delete", run: mark },
        ]}
      />
      <button type="button">Behind it</button>
    </main>,
  );
  const button = screen.getByRole("button", { name: "More for Rest" });
  return { screen, button, rename, mark, entry: (name: string) => screen.getByRole("menuitem", { name }) };
}

test("its button says what it opens, and a press on an action does it and closes it", async () => {
  const { screen, button, mark, rename, entry } = await open();
  await expect.element(button).toHaveAttribute("aria-haspopup", "menu");
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
  await button.click();
  await expect.element(button).toHaveAttribute("aria-expanded", "true");
  await expect.element(screen.getByRole("menu", { name: "More for Rest" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await entry("Delete").click();
  expect(mark).toHaveBeenCalledOnce();
  expect(rename).not.toHaveBeenCalled();
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
});

test("the keyboard opens it, moves around in it, and comes back by Escape", async () => {
  const { button, entry, rename } = await open();
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(entry("Rename")).toHaveFocus();
  for (const [key, name] of [
    ["ArrowDown", "Delete"],
    ["ArrowDown", "Rename"],
    ["ArrowUp", "Delete"],
    ["Home", "Rename"],
    ["End", "Delete"],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.element(entry(name)).toHaveFocus();
  }
  await userEvent.keyboard("{Escape}");
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
  await userEvent.keyboard("{Enter}");
  await expect.element(entry("Rename")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(rename).toHaveBeenCalledOnce();
});

test("Tab leaves it, and a page that moves beneath it closes it", async () => {
  const { screen, button } = await open();
  await button.click();
  await userEvent.tab();
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
  await button.click();
  await expect.element(button).toHaveAttribute("aria-expanded", "true");
  window.dispatchEvent(new Event("scroll"));
  await expect.element(button).toHaveAttribute("aria-expanded", "false");
  expect(screen.getByRole("menu").query()).toBeNull();
});

test("the second press of a double click does not fall on what lies beneath", async () => {
  const { button, mark, entry } = await open();
  const beneath = vi.fn();
  await button.click();
  const box = entry("Delete").element().getBoundingClientRect();
  const under = document.createElement("button");
  under.addEventListener("click", beneath);
  under.style.cssText = `position:fixed;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`;
  document.body.append(under);
  await entry("Delete").dblClick();
  expect(mark).toHaveBeenCalledOnce();
  expect(beneath).not.toHaveBeenCalled();
  under.remove();
});
