import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { NotFound } from "@/features/not-found/NotFound";
import { show } from "@/testing/page";
import { Shell } from "./Shell";

test("the dunes of the page for unknown addresses go down to the footer", async () => {
  for (const width of [360, 1440]) {
    await page.viewport(width, 800);
    const { screen } = await show(
      <Shell alone={false}>
        <NotFound />
      </Shell>,
    );
    const dunes = screen.getByRole("region", { name: "Page Not Found" }).element();
    const footer = screen.getByRole("contentinfo");
    await expect.element(footer).toBeInTheDocument();
    await vi.waitFor(() =>
      expect(dunes.getBoundingClientRect().bottom).toBeCloseTo(
        footer.element().getBoundingClientRect().top,
        0,
      ),
    );
    await screen.unmount();
  }
  await page.viewport(1280, 800);
});

test("Contact Us floats beside the page where there is room, and covers nothing where there is none", async () => {
  for (const [width, position] of [
    [360, "absolute"],
    [1440, "fixed"],
  ] as const) {
    await page.viewport(width, 800);
    const { screen } = await show(
      <Shell alone={false}>
        <p style={{ height: 3000 }}>A long page</p>
      </Shell>,
    );
    await expect.element(screen.getByRole("contentinfo")).toBeInTheDocument();
    const contact = screen.getByRole("link", { name: "Contact Us" }).element();
    expect(getComputedStyle(contact).position).toBe(position);
    if (width === 360) {
      const words = screen.getByText("A long page").element().getBoundingClientRect();
      expect(contact.getBoundingClientRect().top).toBeGreaterThan(words.bottom);
      contact.scrollIntoView({ block: "center" });
      await screen.getByRole("link", { name: "Contact Us" }).click();
      expect(window.location.pathname).toBe("/contact");
    }
    await screen.unmount();
  }
  await page.viewport(1280, 800);
});
