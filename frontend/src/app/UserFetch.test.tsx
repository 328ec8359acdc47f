import { afterEach, expect, test, vi } from "vitest";
import { userFetchFailed } from "@/lib/user-fetch";
import { axeFaults, show } from "@/testing/page";
import { UserFetch } from "./UserFetch";

afterEach(() => userFetchFailed.set(null));

test("'Failed to fetch user' is said with a way to try again, and can be dismissed", async () => {
  const again = vi.fn<() => void>();
  const { screen } = await show(<UserFetch />, { member: null });
  await expect.element(screen.getByRole("alert")).toBeEmptyDOMElement();
  userFetchFailed.set(again);
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Failed to fetch user.");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Try again" }).click();
  expect(again).toHaveBeenCalledOnce();
  await screen.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(screen.getByRole("alert")).toBeEmptyDOMElement();
});
