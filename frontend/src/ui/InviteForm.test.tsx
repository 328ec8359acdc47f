import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { invite as words } from "@/copy/invite";
import { useInvite } from "@/data/invite";
import type { InviteFriendRequest } from "@/gen/serein/web/v1/membership_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { showMembership } from "@/testing/members-area";
import { axeFaults } from "@/testing/page";
import { InviteForm } from "./InviteForm";

const Shown = () => <InviteForm invite={useInvite()} />;

type Answer = (request: InviteFriendRequest) => object | Promise<object>;
const open = (inviteFriend: Answer = () => ({})) =>
  showMembership(<Shown />, undefined, { answers: { inviteFriend } });

const field = (name: string) => page.getByRole("textbox", { name });
const button = (name: string) => page.getByRole("button", { name });

async function write(email = "grace@lakehouse.example") {
  await field("Friend’s name").fill(" Grace ");
  await field("Their email").fill(email);
}

async function send(email?: string) {
  await write(email);
  await button("Send the invitation").click();
}

/** From here on "Sent" leaves by the test's word alone. */
const holdTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a friend's name may be left out, an address may not", async () => {
  const sent: InviteFriendRequest[] = [];
  await open((request) => {
    sent.push(request);
    return {};
  });
  await expect.element(field("Friend’s name")).not.toBeRequired();
  await expect.element(field("Their email")).toBeRequired();
  await expect.element(field("Their email")).toHaveAttribute("type", "email");
  await expect.element(button("Send the invitation")).toHaveAttribute("aria-disabled", "true");
  expect(await axeFaults()).toEqual([]);
  await field("Their email").fill("grace@lakehouse.example");
  holdTime();
  await button("Send the invitation").click();
  await expect.element(button("Sent")).toBeVisible();
  expect(sent[0]).toMatchObject({ name: "", email: "grace@lakehouse.example" });
});

test("an invitation goes once, however often it is pressed, and its fields are cleared", async () => {
  const sent: InviteFriendRequest[] = [];
  const answer = gate();
  await open(async (request) => {
    sent.push(request);
    await answer.passed;
    return {};
  });
  holdTime();
  await send();
  const sending = button("Sending the invitation");
  await expect.element(sending).toHaveAttribute("aria-disabled", "true");
  await sending.click({ force: true });
  answer.open();
  await expect.element(button("Sent")).toHaveAttribute("aria-disabled", "true");
  await expect.element(page.getByRole("status")).toHaveTextContent(words.sentNote);
  for (const name of ["Friend’s name", "Their email"]) await expect.element(field(name)).toHaveValue("");
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ name: "Grace", email: "grace@lakehouse.example" });
  vi.useRealTimers();
  expect(await axeFaults()).toEqual([]);
});

test("that it was sent is said for five seconds, and another friend may be invited before", async () => {
  await open();
  await write();
  holdTime();
  await button("Send the invitation").click();
  await expect.element(button("Sent")).toBeVisible();
  await vi.advanceTimersByTimeAsync(3000);
  await expect.element(page.getByRole("status")).toHaveTextContent(words.sentNote);
  await vi.advanceTimersByTimeAsync(2000);
  await expect.element(button("Send the invitation")).toBeVisible();
  await expect.element(page.getByRole("status")).not.toBeInTheDocument();
  await send();
  await expect.element(button("Sent")).toBeVisible();
  await field("Their email").fill("a");
  await expect.element(button("Send the invitation")).not.toHaveAttribute("aria-disabled");
});

test("an address that takes no letter is said at its field, by the form and by the server", async () => {
  await open(() => {
    throw failure(
      Code.InvalidArgument,
      "That doesn’t look like an email address.",
      "ADDRESS_INVALID",
      "email",
    );
  });
  await send("grace@lakehouse");
  await expect.element(field("Their email")).toHaveAccessibleDescription(words.emailShape);
  await send();
  await expect
    .element(field("Their email"))
    .toHaveAccessibleDescription("That doesn’t look like an email address.");
  await expect.element(field("Their email")).toHaveFocus();
  await expect.element(field("Friend’s name")).toHaveValue(" Grace ");
  expect(page.getByRole("alert").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test.for([
  [
    "LETTERS_LIMIT",
    "That’s all the emails we can send for today. Please try again in 5 hours.",
    words.enough,
  ],
  ["TOO_MANY_REQUESTS", "Please wait 6 minutes.", words.soon("Please wait 6 minutes.")],
] as const)("a limit (%s) is said kindly, and what was written stays", async ([reason, message, said]) => {
  await open(() => {
    throw failure(Code.ResourceExhausted, message, reason, "");
  });
  await send();
  await expect.element(page.getByRole("alert")).toHaveTextContent(said);
  await expect.element(field("Their email")).toHaveValue("grace@lakehouse.example");
  expect(await axeFaults()).toEqual([]);
  await field("Friend’s name").fill("Alan");
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("without a connection it is not sent, and says so; a fault of ours does too", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await open(() => {
    throw new ConnectError("Failed to fetch", Code.Internal);
  });
  await send();
  await expect.element(page.getByRole("alert")).toHaveTextContent(words.offline);
  online.mockReturnValue(true);
  await button("Send the invitation").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(words.failed);
  await expect.element(field("Their email")).toHaveValue("grace@lakehouse.example");
});
