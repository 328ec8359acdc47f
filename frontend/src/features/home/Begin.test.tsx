import { expect, test } from "vitest";
import { homePage } from "@/testing/content";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { Begin } from "./Begin";
import { Features } from "./Features";

const plan = (entitlements: string[], active = true) => {
  const trial = member().plan;
  if (!trial) throw new Error("the member has no plan");
  return { ...trial, active, entitlements };
};

test("nothing of it shows before all of it is there", async () => {
  const { screen } = await show(<Begin home={undefined} error={null} onRetry={() => {}} />);
  await expect.element(screen.getByRole("status")).toBeInTheDocument();
  expect(screen.getByRole("article").elements()).toEqual([]);
});

test("two immersive meditations, another and two articles stand in it, in this order", async () => {
  const { screen } = await show(<Begin home={homePage()} error={null} onRetry={() => {}} />, {
    member: null,
  });
  const titles = screen
    .getByRole("heading", { level: 3 })
    .elements()
    .map((h) => h.textContent);
  expect(titles).toEqual([
    "The lake after rain",
    "Bend, and stay",
    "One stone at a time",
    "What the breath knows first",
    "A small theory of thank you",
  ]);
  await expect
    .element(screen.getByRole("link", { name: "A small theory of thank you" }))
    .toHaveAttribute("href", "/articles/a-small-theory-of-thank-you");
  expect(screen.getByRole("link", { name: "Bend, and stay" }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("it says what went wrong and asks again", async () => {
  let asked = 0;
  const { screen } = await show(<Begin home={undefined} error={new Error("x")} onRetry={() => asked++} />);
  await screen.getByRole("button", { name: "Try again" }).click();
  expect(asked).toBe(1);
});

const leads = async (who: Parameters<typeof show>[1]) => {
  const { screen } = await show(<Features />, who);
  const links = screen
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("href"));
  await screen.unmount();
  return links;
};

test("the three cards lead on for members alone, the articles' not for a plan that only generates", async () => {
  expect(await leads({ member: null })).toEqual([]);
  expect(await leads({})).toEqual(["/articles", "/bespoke-meditation-generator", "/journey"]);
  expect(await leads({ member: member({ plan: plan(["generator", "journey"]) }) })).toEqual([
    "/bespoke-meditation-generator",
    "/journey",
  ]);
  expect(await leads({ member: member({ plan: plan([], false) }) })).toHaveLength(3);
});
