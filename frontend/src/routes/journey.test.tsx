import { expect, test } from "vitest";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";
import { meditation } from "@/testing/meditations";
import { show } from "@/testing/page";
import JourneyPage from "./journey";

const open = (path: string) =>
  show(<JourneyPage />, {
    path,
    gateway: ({ rpc }) =>
      rpc(JourneyService.method.listBespoke, () => ({
        meditations: [meditation(), meditation({ id: "m2", title: "Not counting the hours" })],
        total: 2,
      })),
  });

test("the search stands in the address and comes again with it", async () => {
  const { screen } = await open("/journey");
  await screen.getByLabelText("Search Journey Items").fill("hours & days");
  await expect.poll(() => window.location.search).toBe("?search=hours+%26+days");
  await screen.getByLabelText("Search Journey Items").fill("");
  await expect.poll(() => window.location.search).toBe("");
  await screen.unmount();
  const again = await open("/journey?search=hours");
  await expect.element(again.screen.getByText("Showing 1 of 2")).toBeVisible();
});
