import { expect, test, vi } from "vitest";
import { Link } from "@/lib/router";
import { useTitle } from "@/lib/title";
import { show } from "@/testing/page";
import { RouteChange } from "./RouteChange";

/** A page longer than the window, with its main part to take the focus. */
const Page = () => (
  <main id="main" tabIndex={-1} style={{ height: 4000 }}>
    <Link to="/about">About</Link>
    <Link to="/contact">Contact</Link>
    <RouteChange />
  </main>
);

test("a new page has its title, begins at its top with the focus on it, and is said", async () => {
  const { screen } = await show(<Page />);
  await expect.poll(() => document.title).toBe("Crafted Calm · Serein");
  window.scrollTo(0, 500);
  await screen.getByRole("link", { name: "About" }).click();
  await expect.poll(() => document.title).toBe("About · Serein");
  expect(window.scrollY).toBe(0);
  expect(document.activeElement?.id).toBe("main");
  await expect.element(screen.getByText("About · Serein")).toBeInTheDocument();
});

test("Back leaves the place to the browser; the next link leads to a top again", async () => {
  const { screen } = await show(<Page />);
  await screen.getByRole("link", { name: "About" }).click();
  await expect.poll(() => document.title).toBe("About · Serein");
  const scroll = vi.spyOn(window, "scrollTo");
  window.history.back();
  await expect.poll(() => document.title).toBe("Crafted Calm · Serein");
  expect(scroll).not.toHaveBeenCalled();
  await screen.getByRole("link", { name: "Contact" }).click();
  await expect.poll(() => document.title).toBe("Contact · Serein");
  expect(scroll).toHaveBeenCalledWith(0, 0);
  scroll.mockRestore();
});

test("a page that was written for its address keeps the title it came with", async () => {
  const root = document.createElement("div");
  Object.assign(root, { id: "root" });
  root.dataset["page"] = "/articles/:slug";
  document.body.append(root);
  document.title = "Awake at three · Serein";
  const { screen } = await show(<Page />);
  expect(document.title).toBe("Awake at three · Serein");
  await screen.getByRole("link", { name: "About" }).click();
  await expect.poll(() => document.title).toBe("About · Serein");
  root.remove();
});

/** A page whose answer is there with its first paint. */
function Told() {
  useTitle("What the breath knows");
  return <main id="main" tabIndex={-1} />;
}

test("a page that is there at once keeps the title it gives itself", async () => {
  await show(
    <>
      <Told />
      <RouteChange />
    </>,
  );
  await expect.poll(() => document.title).toBe("What the breath knows · Serein");
});
