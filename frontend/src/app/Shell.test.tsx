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
