import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { EndPlanRequest, ResetToTrialRequest } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import { failure } from "@/testing/failure";
import { onCore, panel, showMembership } from "@/testing/members-area";
import { answerOf, core, onTrial } from "@/testing/mock-membership";
import { axeFaults } from "@/testing/page";
import { MembersArea } from "./MembersArea";

const god = () => answerOf(undefined, { godControls: true });
const area = <MembersArea member={onCore({ admin: true })} />;
const dialog = () => page.getByRole("dialog");

test("they stand there only where the configuration has them", async () => {
  await showMembership(area);
  await expect.element(panel("Cancel Membership")).toBeVisible();
  expect(panel("God controls").elements()).toEqual([]);
});

test("a reason is asked for before the plan ends, and the page shows it at once", async () => {
  const sent: EndPlanRequest[] = [];
  let stands = core();
  await showMembership(area, () => answerOf(stands, { godControls: true }), {
    answers: {
      endPlan: (request) => {
        sent.push(request);
        stands = core({ status: MembershipStatus.ENDED });
        return { membership: stands };
      },
    },
  });
  await panel("God controls").getByRole("button", { name: "End subscription" }).click();
  const end = dialog().getByRole("button", { name: "End subscription" });
  await end.click();
  await expect.element(dialog().getByLabelText(/^Reason/)).toHaveAccessibleDescription(/Please say why/);
  expect(await axeFaults()).toEqual([]);
  expect(sent).toEqual([]);
  await dialog()
    .getByLabelText(/^Reason/)
    .fill("looking at the end");
  await end.dblClick();
  await expect.element(page.getByText("Your plan has ended.")).toBeVisible();
  await expect.element(panel("My Subscription")).toHaveTextContent("Ended14 December 2026");
  expect(sent.map(({ reason }) => reason)).toEqual(["looking at the end"]);
  expect(sent[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test("resetting to a trial shows the trial's panel", async () => {
  const sent: ResetToTrialRequest[] = [];
  let stands = core();
  await showMembership(area, () => answerOf(stands, { godControls: true }), {
    answers: {
      resetToTrial: (request) => {
        sent.push(request);
        stands = onTrial();
        return { membership: stands };
      },
    },
  });
  await panel("God controls").getByRole("button", { name: "Reset to free trial" }).click();
  await dialog()
    .getByLabelText(/^Reason/)
    .fill("once more");
  await dialog().getByRole("button", { name: "Reset to free trial" }).click();
  await expect.element(page.getByText("A new trial has begun.")).toBeVisible();
  await expect.element(panel("Your free trial")).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("what was refused says that nothing was changed", async () => {
  await showMembership(area, god, {
    answers: {
      endPlan: () => {
        throw failure(Code.FailedPrecondition, "They are off.", "GOD_CONTROLS_OFF", "");
      },
    },
  });
  await panel("God controls").getByRole("button", { name: "End subscription" }).click();
  await dialog()
    .getByLabelText(/^Reason/)
    .fill("looking at the end");
  await dialog().getByRole("button", { name: "End subscription" }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Nothing was changed. They are off.");
});
