import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import Account from "@/app/Account";
import { useAccountView } from "@/app/account-view";
import { sessionEnded } from "@/lib/account-panel";
import { leftUntil } from "@/lib/left";
import { SESSION_CHANNEL } from "@/lib/sign-in";
import { member } from "@/testing/member";
import { MockCredentials, PASSWORD } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { Leave } from "./Leave";

/** The panel, and what lies over the page. */
function Shown() {
  const view = useAccountView();
  return (
    <main>
      <Leave />
      {view ? <Account view={view} /> : null}
    </main>
  );
}

const told: unknown[] = [];
let channel: BroadcastChannel;

async function open() {
  told.length = 0;
  channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.addEventListener("message", ({ data }) => told.push(data));
  const mine = new MockCredentials();
  const shown = await show(<Shown />, {
    member: member(),
    path: "/members",
    gateway: (router) => mine.serve(router),
  });
  await button("Delete my account").click();
  return { ...shown, mine };
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const password = () => page.getByLabelText(/^To confirm, enter your password/);
const confirm = () => dialog().getByRole("button", { name: "Delete my account" });

afterEach(() => {
  channel.close();
  leftUntil.set(0);
  sessionEnded.set(false);
  vi.restoreAllMocks();
});

test("before anything is done it says what goes, what stays and until when it can be undone", async () => {
  await open();
  for (const words of [
    "You have 14 days to change your mind: until then, signing in undoes it.",
    "we cancel it first: you won’t be charged again",
    "your meditations with their recordings and scripts",
    "stay for six years, as the law requires, without your name. The privacy page",
    "We’ll email you one last time",
  ])
    await expect.element(dialog()).toHaveTextContent(words);
  await expect.element(dialog().getByRole("button", { name: "Close" })).toHaveFocus();
  await expect
    .element(dialog().getByRole("link", { name: "privacy page" }))
    .toHaveAttribute("href", "/privacy-policy");
  expect(await axeFaults()).toEqual([]);
  await button("Keep my account").click();
  expect(dialog().elements()).toEqual([]);
  await expect.element(button("Delete my account")).toHaveFocus();
});

test("without the password, or with another one, nothing is deleted", async () => {
  const { mine } = await open();
  await confirm().click();
  await expect.element(password()).toHaveAccessibleDescription(/Please enter your password/);
  await password().fill("not the password");
  await confirm().click();
  await expect.element(password()).toHaveAccessibleDescription(/That isn’t your password/);
  await expect.element(password()).toHaveFocus();
  expect(mine.asked).toEqual([]);
  expect(leftUntil.get()).toBe(0);
});

test("after the deletion every tab signs out, and the page says until when signing in undoes it", async () => {
  const { session } = await open();
  const opened = vi.spyOn(window, "open").mockReturnValue(window);
  await password().fill(PASSWORD);
  await confirm().click();
  await expect.poll(() => told).toEqual([{ type: "signed-out" }]);
  session.becomeVisitor(); // as this page's own watch over the tabs does
  await expect.element(page.getByRole("heading", { name: "Your account will be deleted" })).toBeVisible();
  await expect
    .element(dialog().last())
    .toHaveTextContent(/delete it on Friday 11 December at \d\d:00\. Until then you can sign in/);
  expect(await axeFaults()).toEqual([]);
  await button("Sign in to keep it").click();
  expect(String(opened.mock.lastCall?.[0])).toContain("/auth/sign-in");
  await dialog().last().getByRole("button", { name: "Close" }).last().click();
  expect(leftUntil.get()).toBe(0);
});

test("an answer that was lost says that nobody knows, and what to look for", async () => {
  const { mine } = await open();
  mine.loses = true;
  await password().fill(PASSWORD);
  await confirm().click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("our email says until when you can undo it");
});
