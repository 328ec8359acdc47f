import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { panel, showMembership } from "@/testing/members-area";
import { answerOf } from "@/testing/mock-membership";
import { axeFaults } from "@/testing/page";
import { useMembership } from "@/data/membership";
import { PassItOn } from "./PassItOn";

const Shown = () => <PassItOn invitation={useMembership().data?.invitation} />;

const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as Clipboard);

/** A browser with the system's own sheet, or without. */
const sharing = (share: Navigator["share"] | undefined) => {
  if (share) Object.defineProperty(navigator, "share", { value: share, configurable: true });
  else Reflect.deleteProperty(navigator, "share");
};

afterEach(() => {
  vi.restoreAllMocks();
  sharing(undefined);
});

test("the offer, the code and what it came to stand there, in the configuration's own figures", async () => {
  await showMembership(<Shown />);
  const mine = panel("Pass it on");
  await expect
    .element(mine)
    .toHaveTextContent("A friend gets 9 days free. When they join a membership, you each receive 6 credits");
  await expect.element(mine).toHaveTextContent("AMARA-7K2F");
  await expect.element(mine).toHaveTextContent("Two invited, one has joined: 6 credits so far.");
  expect(await axeFaults()).toEqual([]);
});

test("nobody yet is said as well", async () => {
  const { invitation } = answerOf();
  await showMembership(<Shown />, () =>
    answerOf(
      undefined,
      invitation && { invitation: { ...invitation, invited: 0, rewarded: 0, credits: 0n } },
    ),
  );
  await expect.element(panel("Pass it on")).toHaveTextContent("Nobody has used it yet.");
});

test("the code is copied, and that is said", async () => {
  const write = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  clipboard(write);
  await showMembership(<Shown />);
  await page.getByRole("button", { name: "Copy referral code" }).click();
  await expect.element(page.getByRole("status")).toHaveTextContent("Your code is copied.");
  expect(write).toHaveBeenCalledWith("AMARA-7K2F");
});

test("a browser that refuses the clipboard copies by selecting, and where it does not, the words can be selected", async () => {
  clipboard(() => Promise.reject(new Error("no")));
  const by = vi.spyOn(document, "execCommand").mockReturnValue(true);
  await showMembership(<Shown />);
  const copy = page.getByRole("button", { name: "Copy referral code" });
  await copy.click();
  await expect.element(page.getByRole("status")).toHaveTextContent("Your code is copied.");
  await expect.element(copy).toHaveFocus();
  by.mockReturnValue(false);
  await copy.click();
  await expect.element(page.getByRole("status")).toHaveTextContent("select it here:AMARA-7K2F");
});

test("the link is shared by the system's sheet where there is one, and a change of mind says nothing", async () => {
  const share = vi.fn<Navigator["share"]>(() => Promise.resolve());
  sharing(share);
  const write = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  clipboard(write);
  await showMembership(<Shown />);
  const button = page.getByRole("button", { name: "Share the link" });
  await button.click();
  expect(share.mock.lastCall?.[0]?.url).toBe("https://serein.example/signup?invite=AMARA-7K2F");
  share.mockRejectedValue(new DOMException("changed their mind", "AbortError"));
  await button.click();
  expect(write).not.toHaveBeenCalled();
  share.mockRejectedValue(new DOMException("not here", "NotAllowedError"));
  await button.click();
  await expect.element(page.getByRole("status")).toHaveTextContent("The link is copied.");
});

test("without such a sheet the link is copied", async () => {
  const write = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  sharing(undefined);
  clipboard(write);
  await showMembership(<Shown />);
  await page.getByRole("button", { name: /the link$/ }).click();
  await expect.element(page.getByRole("status")).toHaveTextContent("The link is copied.");
  expect(write).toHaveBeenCalledWith("https://serein.example/signup?invite=AMARA-7K2F");
});
