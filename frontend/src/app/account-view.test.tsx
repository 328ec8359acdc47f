import { afterEach, expect, test } from "vitest";
import { member } from "@/testing/member";
import { keepPendingPlan, planPending } from "@/lib/pending-plan";
import { show } from "@/testing/page";
import { useAccountView } from "./account-view";

const View = () => <output>{useAccountView()?.kind ?? "nothing"}</output>;

afterEach(() => {
  keepPendingPlan(null);
});

test.each([
  ["/", "consents"],
  ["/journey", "consents"],
  ["/terms-and-conditions", "nothing"],
  ["/privacy-policy", "nothing"],
  ["/contact", "nothing"],
])("while consents are missing, %s lies under %s", async (path, kind) => {
  const { screen } = await show(<View />, { member: member({ consentsMissing: true }), path });
  await expect.element(screen.getByText(kind)).toBeVisible();
});

test("a visitor who asked for a member's page is asked to sign in at home, and for no other site's", async () => {
  for (const [path, kind] of [
    ["/?return_to=%2Fjourney", "ended"],
    ["/?return_to=%2F%2Felsewhere.example", "nothing"],
    ["/about?return_to=%2Fjourney", "nothing"],
  ] as const) {
    const { screen } = await show(<View />, { member: null, path });
    await expect.element(screen.getByText(kind)).toBeVisible();
    await screen.unmount();
  }
});

test("a membership that was chosen before comes first: the consents wait until it has led to its payment, or has not", async () => {
  keepPendingPlan({ planId: "calm-core", period: "month" });
  const { screen } = await show(<View />, { member: member({ consentsMissing: true }), path: "/" });
  await expect.element(screen.getByText("nothing")).toBeVisible();
  planPending.set(false);
  await expect.element(screen.getByText("consents")).toBeVisible();
});
