import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { sharing } from "@/copy/sharing";
import { useInvite } from "@/data/invite";
import type { InviteFriendRequest } from "@/gen/serein/web/v1/membership_pb";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { SharePanel } from "./SharePanel";

const WHAT = {
  title: "Rest is not a reward",
  text: sharing.text("Rest is not a reward"),
  url: "https://serein.example/articles/rest-is-not-a-reward",
};

const Panel = () => <SharePanel what={WHAT} invite={useInvite()} />;

function open(who = member() as ReturnType<typeof member> | null) {
  const invited: InviteFriendRequest[] = [];
  const shown = show(
    <main>
      <h2>Pass this on</h2>
      <Panel />
    </main>,
    {
      member: who,
      gateway: ({ rpc }) =>
        rpc(MembershipService.method.inviteFriend, (request) => {
          invited.push(request);
          return {};
        }),
    },
  );
  return { shown, invited };
}

/** A browser with the system's own sheet, or without. */
const sheet = (share: Navigator["share"] | undefined) => {
  if (share) Object.defineProperty(navigator, "share", { value: share, configurable: true });
  else Reflect.deleteProperty(navigator, "share");
};
const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as Clipboard);

afterEach(() => {
  vi.restoreAllMocks();
  sheet(undefined);
});

test("without a sheet of the system the sites' own dialogs are plain links, which know nothing of this page", async () => {
  await open().shown;
  for (const [site, starts] of [
    ["X", "https://x.com/intent/post?"],
    ["Facebook", "https://www.facebook.com/sharer/sharer.php?u="],
    ["WhatsApp", "https://wa.me/?text="],
    ["LinkedIn", "https://www.linkedin.com/sharing/share-offsite/?url="],
  ] as const) {
    const link = page.getByRole("link", { name: `${site}, opens in a new tab` });
    await expect.element(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect.element(link).toHaveAttribute("target", "_blank");
    const href = link.element().getAttribute("href") ?? "";
    expect(href.startsWith(starts)).toBe(true);
    expect(decodeURIComponent(href)).toContain(WHAT.url);
  }
  await expect
    .element(page.getByRole("link", { name: "Email" }))
    .toHaveAttribute("href", expect.stringMatching(/^mailto:\?subject=/));
  expect(page.getByRole("button", { name: "Share", exact: true }).query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("where the system has a sheet it takes the links' place, and a change of mind says nothing", async () => {
  const share = vi.fn<Navigator["share"]>(() => Promise.resolve());
  const write = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  sheet(share);
  clipboard(write);
  await open().shown;
  expect(page.getByRole("link").elements()).toEqual([]);
  const button = page.getByRole("button", { name: "Share", exact: true });
  await button.click();
  expect(share).toHaveBeenCalledWith(WHAT);
  share.mockRejectedValue(new DOMException("changed their mind", "AbortError"));
  await button.click();
  expect(write).not.toHaveBeenCalled();
  share.mockRejectedValue(new DOMException("not here", "NotAllowedError"));
  await button.click();
  await expect.element(page.getByRole("status").first()).toHaveTextContent(sharing.copied);
});

test("the link is copied, and where the browser refuses it can be selected", async () => {
  const write = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  clipboard(write);
  await open().shown;
  const copy = page.getByRole("button", { name: "Copy link" });
  await copy.click();
  await expect.element(page.getByRole("status").first()).toHaveTextContent(sharing.copied);
  expect(write).toHaveBeenCalledWith(WHAT.url);
  write.mockRejectedValue(new Error("no"));
  vi.spyOn(document, "execCommand").mockReturnValue(false);
  await copy.click();
  await expect.element(page.getByRole("status").first()).toHaveTextContent(WHAT.url);
});

test("a member invites a friend by letter; a visitor has nothing to invite by", async () => {
  const { shown, invited } = open();
  const { screen } = await shown;
  await page.getByRole("textbox", { name: "Friend’s name" }).fill("Grace");
  await page.getByRole("textbox", { name: "Their email" }).fill("grace@lakehouse.example");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect.poll(() => invited.length).toBe(1);
  expect(invited[0]).toMatchObject({ name: "Grace", email: "grace@lakehouse.example" });
  await screen.unmount();
  await open(null).shown;
  await expect.element(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  expect(page.getByRole("textbox").elements()).toEqual([]);
});
