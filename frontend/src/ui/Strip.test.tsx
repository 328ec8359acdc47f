import { useState } from "react";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { show } from "@/testing/page";
import { Strip } from "./Strip";

function Page() {
  const [gone, go] = useState(false);
  return (
    <main>
      <h1 style={{ height: 200 }}>My Journey</h1>
      <Strip
        text={gone ? "Deleted." : undefined}
        back={{ name: "Undo", run: () => Promise.resolve() }}
        dismiss="Dismiss"
        onDismiss={() => go(false)}
      />
      <p style={{ height: 2000 }}>A long list</p>
      {gone ? null : <button onClick={() => go(true)}>Delete the last</button>}
      <p style={{ height: 300 }}>Its end</p>
    </main>
  );
}

test("far down a list the way back is in view, has the focus, and goes to its place when that is in view", async () => {
  const { screen } = await show(<Page />);
  const remove = screen.getByRole("button", { name: "Delete the last" });
  (remove.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const undo = screen.getByRole("button", { name: "Undo" });
  await expect.element(undo).toHaveFocus();
  await expect.element(undo).toBeInViewport({ ratio: 1 });
  expect(window.scrollY).toBeGreaterThan(500);
  window.scrollTo({ top: 0, behavior: "instant" });
  const strip = undo.element().closest("p") as Element;
  await expect.poll(() => getComputedStyle(strip).position).toBe("static");
  await expect.element(undo).toBeInViewport({ ratio: 1 });
});
