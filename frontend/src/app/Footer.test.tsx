import { expect, test } from "vitest";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import Footer from "./Footer";

test("the library is at the foot of every page of those whose plan has it, and of nobody else's", async () => {
  const amara = member();
  const none = amara.plan && { ...amara.plan, entitlements: ["generator"] };
  for (const [who, has] of [
    [amara, true],
    [{ ...amara, plan: none }, false],
    [null, false],
  ] as const) {
    const { screen } = await show(<Footer />, { member: who });
    await expect.element(screen.getByRole("link", { name: "Articles" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Meditation Library" }).elements()).toHaveLength(has ? 1 : 0);
    expect(await axeFaults()).toEqual([]);
    await screen.unmount();
  }
});

test("what was written for visitors offers no member to sign in, until the markup is taken over", async () => {
  const { dataset } = document.documentElement;
  const { screen } = await show(<Footer />, { member: null });
  const enter = screen.getByRole("link", { name: "Sign in" });
  await expect.element(enter).toBeVisible();
  dataset["member"] = "";
  try {
    await expect.poll(() => enter.elements()).toHaveLength(0);
  } finally {
    delete dataset["member"];
  }
});
