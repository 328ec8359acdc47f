import { useState } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { axeFaults, show } from "@/testing/page";
import { Dialog } from "./Dialog";

/** A page with one dialog; without `closable` something in it must be answered. */
function Page({ closable, onClose }: { closable: boolean; onClose?: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => {
    onClose?.();
    setOpen(false);
  };
  return (
    <main>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open ? (
        <Dialog title="A question" onClose={closable ? close : undefined}>
          <label>
            Answer <input data-first />
          </label>
          <button type="button" onClick={close}>
            Answered
          </button>
        </Dialog>
      ) : null}
    </main>
  );
}

const dialog = () => document.querySelector("dialog");

test("it is named, the page behind is out of reach, and axe finds nothing", async () => {
  const { screen } = await show(<Page closable />);
  await screen.getByRole("button", { name: "Open" }).click();
  await expect.element(screen.getByRole("dialog", { name: "A question" })).toBeVisible();
  expect(dialog()?.matches(":modal")).toBe(true);
  expect(await axeFaults()).toEqual([]);
});

test("the focus begins at its first field and returns to where it was", async () => {
  const { screen } = await show(<Page closable />);
  await screen.getByRole("button", { name: "Open" }).click();
  await expect.element(screen.getByLabelText("Answer", { exact: true })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("button", { name: "Open" })).toHaveFocus();
});

test.each(["Escape", "the close button", "a press outside"])("%s closes it", async (way) => {
  const onClose = vi.fn<() => void>();
  const { screen } = await show(<Page closable onClose={onClose} />);
  await screen.getByRole("button", { name: "Open" }).click();
  if (way === "Escape") await userEvent.keyboard("{Escape}");
  else if (way === "the close button") await screen.getByRole("button", { name: "Close" }).click();
  else dialog()?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  await expect.poll(() => dialog()).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});

test("a dialog that must be answered has no way past it", async () => {
  const { screen } = await show(<Page closable={false} />);
  await screen.getByRole("button", { name: "Open" }).click();
  expect(screen.getByRole("button", { name: "Close" }).elements()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("{Escape}");
  dialog()?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  expect(dialog()?.matches(":modal")).toBe(true);
  await screen.getByRole("button", { name: "Answered" }).click();
  await expect.poll(() => dialog()).toBeNull();
});
