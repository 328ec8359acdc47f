import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { NotFound } from "@/features/not-found/NotFound";
import { axeFaults, show } from "@/testing/page";
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
    const between = () => footer.element().getBoundingClientRect().top - dunes.getBoundingClientRect().bottom;
    await expect.poll(between).toBeCloseTo(0, 0);
    await screen.unmount();
  }
  await page.viewport(1280, 800);
});

test("an address that leads nowhere shows where else to go", async () => {
  const { screen } = await show(<NotFound />);
  for (const [name, path] of [
    ["Go Home", "/"],
    ["Bespoke Meditation Generator", "/bespoke-meditation-generator"],
    ["Articles", "/articles"],
    ["Memberships", "/memberships"],
    ["Contact", "/contact"],
  ] as const)
    await expect.element(screen.getByRole("link", { name })).toHaveAttribute("href", path);
  expect(await axeFaults()).toEqual([]);
});

const longPage = () =>
  show(
    <Shell alone={false}>
      <p style={{ height: 3000 }}>A long page</p>
    </Shell>,
  );

test("Contact Us floats beside the page where there is room", async () => {
  await page.viewport(1440, 800);
  const { screen } = await longPage();
  await expect.element(screen.getByRole("link", { name: "Contact Us" })).toBeInViewport();
});

test("on a phone Contact Us stands below the page and covers nothing of it", async () => {
  await page.viewport(360, 800);
  const { screen } = await longPage();
  await expect.element(screen.getByRole("contentinfo")).toBeInTheDocument();
  const contact = screen.getByRole("link", { name: "Contact Us" });
  const words = screen.getByText("A long page").element().getBoundingClientRect();
  expect(contact.element().getBoundingClientRect().top).toBeGreaterThan(words.bottom);
  await contact.click();
  expect(window.location.pathname).toBe("/contact");
  await page.viewport(1280, 800);
});
