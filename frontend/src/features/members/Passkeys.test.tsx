import { Code } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { PasskeyService } from "@/gen/serein/web/v1/passkey_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { MockCredentials, PASSWORD } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { Passkeys } from "./Passkeys";

const open = async (mine = new MockCredentials()) => {
  await show(
    <main>
      <Passkeys username="amara.l" />
    </main>,
    { member: member(), path: "/members", gateway: (router) => mine.serve(router) },
  );
  return mine;
};

/** What the browser makes, or why it does not. */
const browserMakes = (made: () => Promise<unknown>) => {
  vi.spyOn(PublicKeyCredential, "parseCreationOptionsFromJSON").mockReturnValue(
    {} as PublicKeyCredentialCreationOptions,
  );
  vi.spyOn(navigator.credentials, "create").mockImplementation(made as never);
};

const button = (name: string) => page.getByRole("button", { name, exact: true });
const password = () => page.getByLabelText(/^Current password/);
const alert = () => page.getByRole("alert");

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function add() {
  await button("Add a passkey").click();
  await password().fill(PASSWORD);
  await button("Add the passkey").click();
}

test("each passkey says when it was added and used, and can be removed by its name", async () => {
  await open();
  await expect.element(page.getByText(/^Passkey, added 18 October at .*, used 2 November at/)).toBeVisible();
  await expect.element(page.getByText(/^Passkey, added 12 October at [^,]*$/)).toBeVisible();
  await expect
    .element(button("Remove the passkey iPhone, Safari"))
    .toHaveAttribute("aria-haspopup", "dialog");
  expect(await axeFaults()).toEqual([]);
});

test("a passkey is made by the browser after the password, and stands in the list", async () => {
  browserMakes(() => Promise.resolve({ toJSON: () => "made here" }));
  const mine = await open();
  await add();
  await expect.element(page.getByRole("status")).toHaveTextContent("Your passkey has been added.");
  await expect.element(button("Add a passkey")).toHaveFocus();
  await expect.element(page.getByText('New, "made here"', { exact: true })).toBeVisible();
  expect(mine.asked).toEqual(["begin passkey", "finish passkey"]);
});

test("a wrong password is said at its field, and the browser is not asked", async () => {
  const made = vi.fn();
  browserMakes(made);
  await open();
  await button("Add a passkey").click();
  expect(await axeFaults()).toEqual([]);
  await password().fill("not the one");
  await button("Add the passkey").click();
  await expect.element(password()).toHaveAccessibleDescription(/That isn’t your password/);
  expect(made).not.toHaveBeenCalled();
});

test.each([
  [
    "NotAllowedError",
    "We couldn’t add a passkey. Your browser didn’t make one. Try again whenever you like.",
  ],
  ["InvalidStateError", "We couldn’t add a passkey. This device already has one of your passkeys."],
])(
  "where the browser makes none (%s) it is said, nothing is sent, and it can be tried again",
  async (name, said) => {
    browserMakes(() => Promise.reject(new DOMException("no", name)));
    const mine = await open();
    await add();
    await expect.element(alert()).toHaveTextContent(said);
    expect(mine.asked).toEqual(["begin passkey"]);
    browserMakes(() => Promise.resolve({ toJSON: () => "made" }));
    await button("Add the passkey").click();
    await expect.element(page.getByRole("status")).toHaveTextContent("Your passkey has been added.");
  },
);

test("a browser that knows no passkeys says so, and offers none", async () => {
  vi.stubGlobal("PublicKeyCredential", undefined);
  await open();
  await expect.element(page.getByText("This browser doesn’t support passkeys.")).toBeVisible();
  expect(button("Add a passkey").query()).toBeNull();
  await expect.element(button("Remove the passkey iPhone, Safari")).toBeVisible();
});

test("where there are as many as there can be it is said, and none is offered", async () => {
  const full = new MockCredentials();
  full.mostPasskeys = 2;
  await open(full);
  await expect.element(page.getByText(/^You have 2 passkeys, which is the most you can have/)).toBeVisible();
  expect(button("Add a passkey").query()).toBeNull();
});

test("one has been removed with the password, the others stay, and what is said has the focus", async () => {
  const mine = await open();
  await button("Remove the passkey iPhone, Safari").click();
  await expect.element(page.getByRole("dialog")).toHaveAccessibleName("Remove the passkey iPhone, Safari?");
  await password().fill(PASSWORD);
  await button("Remove it").click();
  const said = page.getByRole("status");
  await expect.element(said).toHaveTextContent("The passkey iPhone, Safari has been removed.");
  await expect.element(said).toHaveFocus();
  expect(button("Remove the passkey iPhone, Safari").query()).toBeNull();
  await expect.element(button("Remove the passkey Linux computer, Firefox")).toBeVisible();
  expect(mine.asked).toEqual(["remove p2"]);
});

test("a lost answer says that nobody knows, and pressing again is safe", async () => {
  const mine = new MockCredentials();
  mine.loses = true;
  await open(mine);
  await button("Remove the passkey iPhone, Safari").click();
  await password().fill(PASSWORD);
  await button("Remove it").click();
  await expect.element(alert()).toHaveTextContent("We don’t know whether the passkey was removed.");
  await button("Remove it").click();
  await expect.element(page.getByRole("status")).toHaveTextContent("has been removed");
});

test("a list that cannot be fetched says so, and is asked for again", async () => {
  let tries = 0;
  await show(
    <main>
      <Passkeys username="amara.l" />
    </main>,
    {
      member: member(),
      gateway: (router) => {
        router.service(PasskeyService, {
          listPasskeys: () => {
            if (tries++ === 0) throw failure(Code.Internal, "no", "INTERNAL", "");
            return { passkeys: [], most: 10 };
          },
        });
      },
    },
  );
  await expect.element(page.getByText(/^We can’t show your passkeys at the moment\./)).toBeVisible();
  await button("Try again").click();
  await expect.element(button("Add a passkey")).toBeVisible();
});
