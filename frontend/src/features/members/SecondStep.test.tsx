import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { SecondStepService } from "@/gen/serein/web/v1/second_step_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { APP, MockCredentials, PASSWORD } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { SecondStep } from "./SecondStep";

const open = async (mine = new MockCredentials()) => {
  await show(
    <main>
      <SecondStep username="amara.l" />
    </main>,
    { member: member(), path: "/members", gateway: (router) => mine.serve(router) },
  );
  return mine;
};

/** A member whose app is on, with some codes left. */
const withApp = (recoveryCodesLeft = 9) => {
  const mine = new MockCredentials();
  mine.secondStep = { onSince: timestampFromMs(Date.UTC(2026, 10, 2, 7, 12)), recoveryCodesLeft };
  return mine;
};

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const password = () => page.getByLabelText(/^Current password/);
const code = () => page.getByLabelText(/^Code from the app/);
const alert = () => page.getByRole("alert");
const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as Clipboard);

afterEach(() => vi.restoreAllMocks());

async function toTheCode() {
  await button("Set up an authenticator app").click();
  await password().fill(PASSWORD);
  await button("Continue").click();
  await expect.element(dialog()).toHaveAccessibleName("Add Serein to your app");
}

test("an app is set up with the password and its code, and the recovery codes are kept before it closes", async () => {
  const mine = await open();
  await expect.element(page.getByText(/^Off\. When it’s on, you also need a code/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await toTheCode();
  await expect.element(page.getByRole("img", { name: /^QR code for your authenticator app/ })).toBeVisible();
  await expect.element(page.getByText("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")).toBeVisible();
  await expect.element(code()).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await code().fill(" 287 082 ");
  await button("Turn it on").click();
  await expect.element(dialog()).toHaveAccessibleName("Your recovery codes");
  expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").elements()).toHaveLength(
    10,
  );
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Escape}{Escape}");
  await expect.element(dialog()).toBeVisible();
  await button("I’ve kept them").click();
  const said = page.getByRole("status");
  await expect.element(said).toHaveTextContent("Your authenticator app is on.");
  await expect.element(said).toHaveFocus();
  await expect.element(page.getByText(/^On since 2 November at .*, 10 recovery codes left$/)).toBeVisible();
  expect(mine.asked).toEqual(["begin second step", "finish second step"]);
});

test("the recovery codes are copied, and taken as a file that says whose they are", async () => {
  const write = vi.fn(() => Promise.resolve());
  clipboard(write);
  const made = vi.spyOn(URL, "createObjectURL");
  const pressed = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  await open();
  await toTheCode();
  await code().fill(APP.code);
  await button("Turn it on").click();
  await button("Copy").click();
  await expect.element(dialog().getByRole("status")).toHaveTextContent("Copied.");
  expect(write).toHaveBeenCalledWith(expect.stringMatching(/^(abcd-efgh-ijkl-1\dmn\n?){10}$/));
  await button("Download").click();
  expect(pressed).toHaveBeenCalledOnce();
  const file = made.mock.calls.at(-1)?.[0] as Blob;
  expect(await file.text()).toMatch(/^Recovery codes of amara\.l at Serein\..*\r\n\r\n(abcd-.*\r\n){10}$/);
});

test("a wrong password and a wrong code are said at their fields", async () => {
  const mine = await open();
  await button("Set up an authenticator app").click();
  await password().fill("not the one");
  await button("Continue").click();
  await expect.element(password()).toHaveAccessibleDescription(/That isn’t your password/);
  await password().fill(PASSWORD);
  await button("Continue").click();
  await button("Turn it on").click();
  await expect.element(code()).toHaveAccessibleDescription(/Please enter the six digits/);
  await code().fill("000000");
  await button("Turn it on").click();
  await expect.element(code()).toHaveAccessibleDescription(/That code does not match/);
  expect(mine.asked).toEqual(["begin second step"]);
});

test("where the answer of turning it on is lost, it is said what to do, and the page shows how it stands", async () => {
  const mine = await open();
  await toTheCode();
  mine.loses = true;
  await code().fill(APP.code);
  await button("Turn it on").click();
  await expect.element(alert()).toHaveTextContent("if it’s on, make new recovery codes there.");
  await button("Not now").click();
  await expect.element(button("New recovery codes")).toBeVisible();
});

test("new recovery codes replace the others, also when the first answer was lost", async () => {
  const mine = withApp(1);
  mine.loses = true;
  await open(mine);
  await expect.element(page.getByText(/, 1 recovery code left$/)).toBeVisible();
  await button("New recovery codes").click();
  expect(await axeFaults()).toEqual([]);
  await password().fill(PASSWORD);
  await button("Make new codes").click();
  await expect.element(alert()).toHaveTextContent("We don’t know whether there are new codes.");
  await button("Make new codes").click();
  await expect.element(page.getByText("abcd-efgh-ijkl-20mn")).toBeVisible();
  await button("I’ve kept them").click();
  await expect
    .element(page.getByRole("status"))
    .toHaveTextContent("Your new recovery codes work from now on.");
  await expect.element(button("New recovery codes")).toHaveFocus();
  await expect.element(page.getByText(/, 10 recovery codes left$/)).toBeVisible();
});

test("it is turned off with the password, and what is said has the focus", async () => {
  const mine = await open(withApp(0));
  await expect.element(page.getByText(/, no recovery codes left$/)).toBeVisible();
  await button("Turn off the authenticator app").click();
  expect(await axeFaults()).toEqual([]);
  await password().fill(PASSWORD);
  await button("Turn it off").click();
  const said = page.getByRole("status");
  await expect.element(said).toHaveTextContent("Your authenticator app is off.");
  await expect.element(said).toHaveFocus();
  await expect.element(button("Set up an authenticator app")).toBeVisible();
  expect(mine.asked).toEqual(["remove second step"]);
});

test("how it stands that cannot be fetched is said, and asked for again", async () => {
  let tries = 0;
  await show(
    <main>
      <SecondStep username="amara.l" />
    </main>,
    {
      member: member(),
      gateway: (router) => {
        router.service(SecondStepService, {
          getSecondStep: () => {
            if (tries++ === 0) throw failure(Code.Internal, "no", "INTERNAL", "");
            return { secondStep: {} };
          },
        });
      },
    },
  );
  await expect.element(page.getByText(/^We can’t show your authenticator app at the moment\./)).toBeVisible();
  await button("Try again").click();
  await expect.element(button("Set up an authenticator app")).toBeVisible();
});
