import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { kept as copy } from "@/copy/kept";
import { keptItem, storeWith } from "@/testing/kept";
import { member } from "@/testing/member";
import { axeFaults, createSetting, show } from "@/testing/page";
import { clearKept, mayLeave } from "./leaving-kept";
import Notices from "./Notices";

const answer = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("who keeps something here is asked before they sign out, and stays where they say so", async () => {
  await storeWith(keptItem({}, 4_200_000));
  const { data } = await show(<Notices />);
  const stays = mayLeave(data);
  await expect.element(page.getByRole("dialog")).toHaveTextContent(copy.leaving.text(1, 4_200_000));
  expect(await axeFaults()).toEqual([]);
  await answer(copy.leaving.stay).click();
  expect(await stays).toBe(false);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  const leaves = mayLeave(data);
  await answer(copy.leaving.out).click();
  expect(await leaves).toBe(true);
});

test("who keeps nothing here, or finds what another member kept, is not asked", async () => {
  const store = await storeWith();
  expect(await mayLeave(createSetting().data)).toBe(true);
  await store.add(keptItem(), new Map([["/media/meditations/m1/audio", new ArrayBuffer(3)]]));
  expect(await mayLeave(createSetting({ member: member({ uid: "another" }) }).data)).toBe(true);
});

test("with its member everything that is kept goes", async () => {
  const store = await storeWith(keptItem());
  await clearKept(createSetting().data);
  expect(await store.items()).toEqual([]);
});
