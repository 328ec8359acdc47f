import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { DebugService } from "@/gen/serein/web/v1/debug_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { DebugSignIn } from "./DebugSignIn";

const MINUTE = 60_000;

const signedIn = () => ({
  signIn: {
    issuer: "https://id.serein.example",
    claims: [
      { name: "sub", value: "0193f2c0-0000-7000-8000-000000000001" },
      { name: "email", value: "amara@lakehouse.example" },
      { name: "given_name", value: "Amara" },
      { name: "family_name", value: "Lindqvist" },
      { name: "zoneinfo", value: "Europe/London" },
    ],
    issuedAt: timestampFromMs(Date.now() - MINUTE),
    accessTokenEndsAt: timestampFromMs(Date.now() + 9.5 * MINUTE),
    renewsAt: timestampFromMs(Date.now() + 8.5 * MINUTE),
    endsAt: timestampFromMs(Date.now() + 14 * 24 * 60 * MINUTE - MINUTE),
  },
});

const answers = (getSignIn: () => object | Promise<object>) => (router: ConnectRouter) =>
  void router.service(DebugService, { getSignIn });

const open = (gateway: (router: ConnectRouter) => void, who: ReturnType<typeof member> | null = member()) =>
  show(
    <main>
      <DebugSignIn off={<h1>Page Not Found</h1>} />
    </main>,
    { member: who, path: "/debug-sign-in", gateway },
  );

const button = (name: string) => page.getByRole("button", { name, exact: true });
const fact = (label: string) =>
  Array.from(document.querySelectorAll("dt")).find((dt) => dt.textContent === label)?.nextElementSibling
    ?.textContent;

test("a member's claims and lifetimes are shown, and that there is no token to show", async () => {
  await open(answers(signedIn));
  await expect.element(page.getByText("amara@lakehouse.example")).toBeVisible();
  expect(fact("State")).toBe("authenticated");
  expect([fact("Given name"), fact("Family name")]).toEqual(["Amara", "Lindqvist"]);
  expect(fact("zoneinfo")).toBe("Europe/London");
  expect(fact("Issuer")).toBe("https://id.serein.example");
  expect(fact("ID token")).toBe("issued today at 12:59");
  expect(fact("Access token")).toMatch(/^9 min \d+ s left$/);
  expect(fact("Next renewal")).toMatch(/^in 8 min \d+ s$/);
  expect(fact("Session")).toBe("13 days left");
  await expect.element(page.getByText(/there is none to show/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what is over and what there never was have words of their own", async () => {
  await open(
    answers(() => ({
      signIn: {
        ...signedIn().signIn,
        issuedAt: undefined,
        accessTokenEndsAt: timestampFromMs(Date.now() - MINUTE),
        renewsAt: undefined,
      },
    })),
  );
  await expect.element(page.getByText("authenticated", { exact: true })).toBeVisible();
  expect(fact("Access token")).toBe("over");
  expect(fact("Next renewal")).toBe("none, the provider gave no refresh token");
  expect(fact("ID token")).toBe("issued at a time that is not known");
});

test("a visitor sees that nobody is signed in, and signs in by the popup", async () => {
  await open(
    answers(() => ({})),
    null,
  );
  await expect.element(page.getByText("unauthenticated")).toBeVisible();
  expect(button("Sign out").query()).toBeNull();
  const opened = vi.spyOn(window, "open").mockReturnValue(window);
  await button("Sign in (popup)").click();
  expect(opened.mock.calls[0]?.[0]).toMatch(
    /^\/auth\/sign-in\?popup=1&return_to=%2Fdebug-sign-in&time_zone=\w+/,
  );
  opened.mockRestore();
  expect(await axeFaults()).toEqual([]);
});

test("a loader stands there while the answer is on its way", async () => {
  let answer = (): void => undefined;
  const late = new Promise<object>((done) => (answer = () => done(signedIn())));
  await open(answers(() => late));
  await expect.element(page.getByText("Checking your sign-in")).toBeVisible();
  expect(fact("State")).toBeUndefined();
  answer();
  await expect.element(page.getByText("authenticated", { exact: true })).toBeVisible();
});

test("an error is said with its message, and it is asked again", async () => {
  let tries = 0;
  await open(
    answers(() => {
      if (tries++ === 0)
        throw failure(Code.ResourceExhausted, "That was too often.", "TOO_MANY_REQUESTS", "");
      return signedIn();
    }),
  );
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("Encountering error... That was too often.");
  expect(await axeFaults()).toEqual([]);
  await button("Try again").click();
  await expect.element(page.getByText("authenticated", { exact: true })).toBeVisible();
});

test("signing out goes the way that it goes everywhere", async () => {
  const { app } = await open(answers(signedIn));
  const signOut = vi.spyOn(app, "signOut");
  await button("Sign out").click();
  expect(signOut).toHaveBeenCalledOnce();
});

test("where the operator has not switched it on there is no such page", async () => {
  await open(
    answers(() => {
      throw failure(Code.NotFound, "There is nothing here.", "NOT_FOUND", "");
    }),
  );
  await expect.element(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
  expect(button("Sign in (popup)").query()).toBeNull();
});
