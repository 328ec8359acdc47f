import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { useMembership } from "@/data/membership";
import { invalidate } from "@/data/mutation";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import type { SetLettersRequest } from "@/gen/serein/web/v1/membership_pb";
import { LettersSchema } from "@/gen/serein/web/v1/membership_pb";
import { preferencesOpen } from "@/lib/account-panel";
import { failure } from "@/testing/failure";
import { showMembership } from "@/testing/members-area";
import { answerOf } from "@/testing/mock-membership";
import { axeFaults } from "@/testing/page";
import { Privacy } from "./Privacy";

const Shown = () => <Privacy read={useMembership()} />;

const box = (name: RegExp) => page.getByRole("checkbox", { name });
const update = () => page.getByRole("button", { name: "Update emails" });

afterEach(() => preferencesOpen.set(false));

test("letters are as they were wished, and a change is kept and said", async () => {
  const sent: SetLettersRequest[] = [];
  await showMembership(<Shown />, undefined, {
    answers: {
      setLetters: (request) => {
        sent.push(request);
        return { letters: request.letters };
      },
    },
  });
  await expect.element(box(/^Reminders/)).toBeChecked();
  await expect.element(box(/^Rewards/)).not.toBeChecked();
  expect(await axeFaults()).toEqual([]);
  await box(/^Rewards/).click();
  await update().dblClick();
  await expect.element(page.getByText("Your choice is saved.")).toBeVisible();
  expect(sent.map(({ letters }) => letters)).toMatchObject([{ reminders: true, rewards: true }]);
  await box(/^Reminders/).click();
  await expect.element(page.getByText("Your choice is saved.")).not.toBeInTheDocument();
});

test("a choice that was not kept says what stands", async () => {
  await showMembership(<Shown />, undefined, {
    answers: {
      setLetters: () => {
        throw failure(Code.Internal, "no", "INTERNAL", "");
      },
    },
  });
  await box(/^Rewards/).click();
  await update().click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("nothing has changed");
});

test("without the consent to marketing it is said what is not written of, and the way to it stands there", async () => {
  let marketing = false;
  const { data } = await showMembership(<Shown />, undefined, { marketing: () => marketing });
  await expect.element(page.getByText("About low credits only once you agree to marketing")).toBeVisible();
  await expect.element(box(/^Reminders/)).toBeChecked();
  expect(await axeFaults()).toEqual([]);
  await page.getByRole("button", { name: "Agree to that" }).click();
  expect(preferencesOpen.get()).toBe(true);
  marketing = true;
  invalidate(data, [ConsentService.method.getConsents]);
  // What the dialog changes shows here at once.
  await expect.element(page.getByText("Before your trial ends, and when your credits run low")).toBeVisible();
  expect(page.getByRole("button", { name: "Agree to that" }).elements()).toEqual([]);
});

test("a member whose letters were returned sees why none are sent", async () => {
  const letters = create(LettersSchema, { suppressed: true });
  await showMembership(<Shown />, () => answerOf(undefined, { letters }));
  await expect.element(page.getByText(/^Emails to your address were returned to us/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the way to what one has agreed to stands beside them", async () => {
  await showMembership(<Shown />);
  await page.getByRole("button", { name: "Review" }).click();
  expect(preferencesOpen.get()).toBe(true);
});
