import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CredentialService } from "@/gen/serein/web/v1/account_pb";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";
import { member } from "@/testing/member";
import { CODES, MockCredentials, PASSWORD } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { Account } from "./Account";

/** The account of a member, as the gateway keeps it in `mine`. */
const open = (mine = new MockCredentials()) =>
  show(
    <main>
      <Account />
    </main>,
    {
      member: member(),
      path: "/members",
      gateway: (router) => {
        mine.serve(router);
        router.service(SessionService, {
          getSession: () =>
            create(GetSessionResponseSchema, {
              member: { uid: member().uid, givenName: mine.givenName, email: mine.email },
            }),
        });
      },
    },
  ).then((shown) => ({ ...shown, mine }));

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (name: string | RegExp) => page.getByLabelText(name);
/** What became of a change, beside it. */
const said = (where: string) => page.getByRole("region", { name: where }).getByRole("status");
const dialog = () => page.getByRole("dialog");
const present = () => field(/^Current password/);
const fresh = () => field(/^New password/);
const presentCode = () => field(/^Code sent to amara@/);
const newCode = () => field(/^Code sent to new@/);

/** Asks for new@lakehouse.example, whose codes then wait. */
async function begin() {
  await button("Change your email").click();
  await field(/^New email/).fill("new@lakehouse.example");
  await present().fill(PASSWORD);
  await button("Send the codes").click();
  await expect.element(presentCode()).toHaveFocus();
}

const waiting = (): MockCredentials =>
  Object.assign(new MockCredentials(), { newEmail: "new@lakehouse.example" });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("name, email and username stand there, and each change says what it changes", async () => {
  await open();
  await expect.element(page.getByText("Amara Lindqvist")).toBeVisible();
  await expect.element(page.getByText("amara@lakehouse.example, confirmed")).toBeVisible();
  await expect.element(page.getByText("You sign in as amara.l, or with your email")).toBeVisible();
  for (const what of ["name", "email", "password"])
    await expect.element(button(`Change your ${what}`)).toHaveAttribute("aria-haspopup", "dialog");
  expect(await axeFaults()).toEqual([]);
});

test("another name is kept, shown at once here and in the session, and the focus comes back", async () => {
  const { mine, session } = await open();
  await button("Change your name").click();
  await expect.element(field(/^First Name/)).toHaveFocus();
  await field(/^First Name/).fill("  Ama ");
  expect(await axeFaults()).toEqual([]);
  await button("Save the name").click();
  await expect.element(said("About you")).toHaveTextContent("Your name has been changed.");
  await expect.element(page.getByText("Ama Lindqvist")).toBeVisible();
  await expect.element(button("Change your name")).toHaveFocus();
  expect(mine.givenName).toBe("Ama");
  await expect.poll(() => session.get().member?.givenName).toBe("Ama");
});

test("a name that is missing is said at its field, and nothing is sent", async () => {
  const { mine } = await open();
  await button("Change your name").click();
  await field(/^Family Name/).fill(" ");
  await button("Save the name").click();
  await expect.element(field(/^Family Name/)).toHaveAccessibleDescription(/enter your family name/);
  await expect.element(field(/^Family Name/)).toHaveFocus();
  expect(mine.asked).toEqual([]);
});

test("an answer that was lost says that nobody knows, and the same name again is safe", async () => {
  const { mine } = await open();
  mine.loses = true;
  await button("Change your name").click();
  await field(/^First Name/).fill("Ama");
  await button("Save the name").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("We don’t know whether your name was changed");
  await button("Save the name").click();
  await expect.element(said("About you")).toHaveTextContent("Your name has been changed.");
  expect(mine.asked).toEqual(["name", "name"]);
});

test("without a line nothing is said to be safe that is not known", async () => {
  const { mine } = await open();
  await button("Change your name").click();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  mine.loses = true;
  await button("Save the name").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("You’re offline, so we don’t know");
});

test("another password is hinted at as it is typed, and ends every other sign-in", async () => {
  const { mine } = await open();
  await button("Change your password").click();
  await expect.element(dialog()).toHaveTextContent("every other device will be signed out");
  await expect.element(present()).toHaveAttribute("autocomplete", "current-password");
  await expect.element(fresh()).toHaveAccessibleDescription(/10 characters or more/);
  await present().fill(PASSWORD);
  await fresh().fill("short");
  await userEvent.tab();
  await expect.element(fresh()).toHaveAccessibleDescription(/at least 10 characters/);
  expect(await axeFaults()).toEqual([]);
  await fresh().fill("seven quiet herons");
  await button("Save the password").click();
  await expect
    .element(said("How you sign in").first())
    .toHaveTextContent("Your password has been changed. Every other device has been signed out.");
  expect(mine.password).toBe("seven quiet herons");
});

test("a wrong present password and a refused new one are said at their fields, in the server's words", async () => {
  await open();
  await button("Change your password").click();
  await present().fill("not the password");
  await fresh().fill("seven quiet herons");
  await button("Save the password").click();
  await expect.element(present()).toHaveAccessibleDescription(/That isn’t your password/);
  await expect.element(present()).toHaveFocus();
  await present().fill(PASSWORD);
  await fresh().fill(PASSWORD);
  await button("Save the password").click();
  await expect.element(fresh()).toHaveAccessibleDescription(/That’s already your password/);
  await expect.element(fresh()).toHaveFocus();
});

test("a password whose answer was lost was perhaps changed: asking again says which one holds", async () => {
  const { mine } = await open();
  mine.loses = true;
  await button("Change your password").click();
  await present().fill(PASSWORD);
  await fresh().fill("seven quiet herons");
  await button("Save the password").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("We don’t know whether");
  await button("Save the password").click();
  await expect.element(present()).toHaveAccessibleDescription(/try the new one/);
});

test("another email waits for two codes, and is the member's once both are entered", async () => {
  const { mine, session } = await open();
  await begin();
  expect(await axeFaults()).toEqual([]);
  await expect.element(page.getByText("amara@lakehouse.example, confirmed")).toBeVisible();
  expect(button("Change your email").elements()).toEqual([]);
  await presentCode().fill("408 112");
  await newCode().fill(CODES.newCode);
  await button("Confirm the new email").click();
  await expect.element(page.getByText("new@lakehouse.example, confirmed")).toBeVisible();
  await expect.element(said("About you")).toHaveTextContent("Your email is now new@lakehouse.example.");
  await expect.element(said("About you")).toHaveFocus();
  expect(mine.asked).toEqual(["begin", "confirm"]);
  await expect.poll(() => session.get().member?.email).toBe("new@lakehouse.example");
});

test("a change of email that waits for its codes is there after a reload, with the time that is left", async () => {
  await open(waiting());
  await expect.element(presentCode()).toBeVisible();
  await expect
    .element(page.getByText(/Your email will change to new@lakehouse.example once you’ve entered both codes/))
    .toBeVisible();
  await expect.element(presentCode()).not.toHaveFocus();
});

test("a wrong code is said at its own field", async () => {
  await open(waiting());
  await presentCode().fill(CODES.presentCode);
  await button("Confirm the new email").click();
  await expect.element(newCode()).toHaveAccessibleDescription(/enter the code from that mailbox/);
  await newCode().fill("000000");
  await button("Confirm the new email").click();
  await expect.element(newCode()).toHaveAccessibleDescription(/That code does not match/);
  await expect.element(newCode()).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
});

test("new codes are asked for with the same email, and the old ones are no longer on the page", async () => {
  const { mine } = await open();
  await begin();
  await presentCode().fill("111111");
  await button("Send new codes").click();
  await expect.element(field(/^New email/)).toHaveValue("new@lakehouse.example");
  await present().fill(PASSWORD);
  await button("Send the codes").click();
  await expect.element(presentCode()).toHaveValue("");
  await expect.element(presentCode()).toHaveFocus();
  expect(mine.asked).toEqual(["begin", "begin"]);
});

test("a change is stopped, and the present email stays", async () => {
  const { mine } = await open(waiting());
  mine.loses = true;
  await button("Keep my current email").click();
  await expect.element(button("Change your email")).toBeVisible();
  expect(mine.email).toBe("amara@lakehouse.example");
});

test("that a change was stopped is said, and has the focus", async () => {
  await open(waiting());
  await button("Keep my current email").click();
  await expect.element(said("About you")).toHaveTextContent("Your email hasn’t changed.");
  await expect.element(said("About you")).toHaveFocus();
});

test("a change that was stopped elsewhere is said to be over when its codes come", async () => {
  const { mine } = await open(waiting());
  await presentCode().fill(CODES.presentCode);
  await newCode().fill(CODES.newCode);
  mine.newEmail = "";
  await button("Confirm the new email").click();
  await expect.element(page.getByText(/There’s no email change waiting any more/)).toBeVisible();
  await expect.element(button("Change your email")).toBeVisible();
});

test("a change whose time is over goes by itself", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { mine } = await open(waiting());
  await expect.element(presentCode()).toBeVisible();
  mine.newEmail = "";
  // The server's clock decides, so the page asks a second after its own says that it is over.
  await vi.advanceTimersByTimeAsync(timestampMs(mine.newEmailExpires) - Date.now() + 1000);
  await expect.element(page.getByText(/There’s no email change waiting any more/)).toBeVisible();
});

test("what cannot be read is said, and asked for again", async () => {
  let away = true;
  await show(
    <main>
      <Account />
    </main>,
    {
      member: member(),
      gateway: (router) =>
        router.service(CredentialService, {
          getCredentials: () => {
            if (away) throw new ConnectError("away", Code.Internal);
            return { credentials: { username: "amara.l", email: "amara@lakehouse.example" } };
          },
        }),
    },
  );
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("We can’t show how you sign in at the moment.");
  away = false;
  await button("Try again").click();
  await expect.element(page.getByText("amara@lakehouse.example, confirmed")).toBeVisible();
});
