import type { ServiceImpl } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import Account from "@/app/Account";
import { useAccountView } from "@/app/account-view";
import type { ConfirmSignUpRequest, SignUpRequest } from "@/gen/serein/web/v1/account_pb";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import { SessionService } from "@/gen/serein/web/v1/session_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { keepPendingPlan, PENDING_KEY } from "@/lib/pending-plan";
import { CONFIRMED_KEY, SESSION_CHANNEL } from "@/lib/sign-in";
import { failure } from "@/testing/failure";
import { axeFaults, show, TERMS_VERSION } from "@/testing/page";
import { memberships } from "@/testing/shop";
import { sentAt } from "./code-sent";

/** What lies over the page at the present address. */
function Over() {
  const view = useAccountView();
  return view ? <Account view={view} /> : null;
}

const UNDER = { pathname: "/bespoke-meditation-generator", search: "", hash: "" };
const opened: string[] = [];

/** The panel at an address, and what it asked of the gateway. */
async function open(
  path: string,
  answers: Partial<ServiceImpl<typeof AccountService>> = {},
  state: object = {},
  plans = memberships,
) {
  opened.length = 0;
  vi.spyOn(window, "open").mockImplementation((url) => {
    opened.push(String(url));
    return window;
  });
  return show(<Over />, {
    member: null,
    path,
    state: { under: UNDER, ...state },
    gateway: (router) => {
      router.service(AccountService, answers);
      router.rpc(ShopService.method.getMemberships, plans);
    },
  });
}

type Screen = Awaited<ReturnType<typeof open>>["screen"];

const GOOD = {
  "First Name": "Amara",
  "Family Name": "Lindqvist",
  Email: "amara@lakehouse.example",
  Username: "amara.l",
  Password: "stillwater-9-pines",
};

/** A field by its label; the mark of a needed one is no part of its name. */
const field = (screen: Screen, label: string) => screen.getByLabelText(new RegExp(`^${label}`));

async function fill(screen: Screen, answers: Record<string, string> = GOOD) {
  for (const [label, value] of Object.entries(answers)) await field(screen, label).fill(value);
}
const create = (screen: Screen) => screen.getByRole("button", { name: "Create Account" }).click();

afterEach(() => {
  vi.restoreAllMocks();
  keepPendingPlan(null);
  sessionStorage.clear();
});

test("the rules of the contract and the offer stand there before anything is sent", async () => {
  const { screen } = await open("/signup");
  await expect.element(screen.getByText("Five days, 3 credits, no card.")).toBeVisible();
  await expect
    .element(screen.getByRole("textbox", { name: "Username" }))
    .toHaveAccessibleDescription(/3–32 letters/);
  await expect.element(field(screen, "Password")).toHaveAccessibleDescription(/10 characters/);
  for (const name of ["First Name", "Family Name", "Email", "Username"])
    await expect.element(screen.getByRole("textbox", { name })).toBeRequired();
  expect(await axeFaults()).toEqual([]);
});

test("an invitation gives its own days, and its code goes with the form, through a reload and the step back", async () => {
  const sent: SignUpRequest[] = [];
  const answers = {
    getInvite: ({ code }: { code: string }) => ({ known: code === "AMARA-7K2F" }),
    signUp: (request: SignUpRequest) => {
      sent.push(request);
      return { userConfirmed: false };
    },
  };
  const first = await open("/signup?invite=AMARA-7K2F", answers);
  await expect.element(first.screen.getByText(/invited you: nine days, 3 credits, no card/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await first.screen.unmount();
  const { screen } = await open("/signup", answers);
  await expect.element(screen.getByText(/invited you: nine days/)).toBeVisible();
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  await screen.getByRole("button", { name: "Use another email" }).click();
  await expect.element(screen.getByText(/invited you: nine days/)).toBeVisible();
  expect(sent.map(({ invite }) => invite)).toEqual(["AMARA-7K2F"]);
});

test("a code is forgotten once the account is confirmed", async () => {
  const answers = { getInvite: () => ({ known: true }), confirmSignUp: () => ({}) };
  const first = await open("/signup?invite=AMARA-7K2F", answers);
  await expect.element(first.screen.getByText(/invited you/)).toBeVisible();
  await first.screen.unmount();
  const { screen } = await open("/signup/confirm?username=amara.l", answers);
  await screen.getByLabelText("Confirmation Code").fill("408112");
  await screen.getByRole("button", { name: "Confirm Account" }).click();
  await expect.element(screen.getByRole("button", { name: "Open the sign-in page" })).toBeVisible();
  expect(JSON.stringify(sessionStorage)).not.toContain("AMARA-7K2F");
});

test("an invitation that nobody knows is said kindly, and one is signed up all the same", async () => {
  const asked = vi.fn<() => object>(() => ({ known: false }));
  const first = await open("/signup?invite=NOBODY", { getInvite: asked });
  await expect
    .element(first.screen.getByText(/^You can’t use this invitation here; you get the usual five days/))
    .toBeVisible();
  await first.screen.unmount();
  sessionStorage.clear();
  asked.mockClear();
  const { screen } = await open(`/signup?invite=${"A".repeat(65)}`, { getInvite: asked });
  await expect.element(screen.getByText(/^You can’t use this invitation here/)).toBeVisible();
  expect(asked).not.toHaveBeenCalled();
});

const kept = () => JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? "null") as unknown;

test("a link that names a membership keeps it through the confirmation, and says that its payment follows", async () => {
  const answers = { signUp: () => ({ userConfirmed: false }), confirmSignUp: () => ({}) };
  const { screen } = await open("/signup?planId=calm-premium&period=year", answers);
  await expect
    .element(screen.getByText(/^You chose Premium\. Once you’re signed in, you can pay for it/))
    .toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  await screen.getByLabelText("Confirmation Code").fill("408112");
  await screen.getByRole("button", { name: "Confirm Account" }).click();
  await expect.element(screen.getByRole("button", { name: "Open the sign-in page" })).toBeVisible();
  expect(opened).toHaveLength(1);
  expect(kept()).toEqual({ planId: "calm-premium", period: "year" });
});

test("a plan and an invitation come by one link", async () => {
  const { screen } = await open("/signup?planId=calm-core&invite=AMARA-7K2F", {
    getInvite: () => ({ known: true }),
  });
  await expect.element(screen.getByText(/invited you: nine days/)).toBeVisible();
  await expect.element(screen.getByText(/^You chose Core\./)).toBeVisible();
  expect(kept()).toEqual({ planId: "calm-core", period: "month" });
});

test.each(["nobody-sells-this", "bespoke-journey", "x".repeat(65)])(
  "a link to %s begins the usual trial and says so kindly",
  async (planId) => {
    const { screen } = await open(`/signup?planId=${planId}`);
    await expect.element(screen.getByText(/^The membership in this link isn’t sold here/)).toBeVisible();
    await expect.element(screen.getByText("Five days, 3 credits, no card.")).toBeVisible();
    expect(kept()).toBeNull();
  },
);

test("the free trial leads to no payment, and closing the panel forgets a plan", async () => {
  const trial = await open("/signup?planId=free-trial");
  await expect.element(trial.screen.getByText("Five days, 3 credits, no card.")).toBeVisible();
  await expect.poll(() => kept()).toBeNull();
  expect(trial.screen.getByText(/isn’t sold here|You chose/).elements()).toEqual([]);
  await trial.screen.unmount();
  const { screen } = await open("/signup?planId=calm-core");
  await expect.element(screen.getByText(/^You chose Core/)).toBeVisible();
  await screen.getByRole("button", { name: "Close" }).click();
  expect(kept()).toBeNull();
});

test("while the shop is away the plan is kept as the link names it", async () => {
  const { screen } = await open("/signup?planId=calm-core&period=year", {}, {}, () => {
    throw failure(Code.Unavailable, "away", "UNAVAILABLE", "");
  });
  await expect.element(field(screen, "Username")).toBeVisible();
  await expect.poll(() => kept()).toEqual({ planId: "calm-core", period: "year" });
});

test("an empty form names every answer, leads to each, and sends nothing", async () => {
  const signUp = vi.fn<() => object>(() => ({}));
  const { screen } = await open("/signup", { signUp });
  await create(screen);
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Six answers need checking:");
  await expect.element(screen.getByRole("textbox", { name: "First Name" })).toHaveFocus();
  await screen.getByRole("alert").getByRole("button", { name: "Username" }).click();
  await expect.element(screen.getByRole("textbox", { name: "Username" })).toHaveFocus();
  expect(signUp).not.toHaveBeenCalled();
  expect(await axeFaults()).toEqual([]);
});

test("a broken rule is said as soon as the answer is left", async () => {
  const { screen } = await open("/signup");
  await fill(screen, { Username: "ab" });
  await userEvent.tab();
  await expect.element(screen.getByText("A username has at least 3 characters.")).toBeVisible();
});

test("a full form is sent once with the version of the terms shown, and leads to the code", async () => {
  const sent: SignUpRequest[] = [];
  const { screen } = await open("/signup", {
    signUp: (request: SignUpRequest) => {
      sent.push(request);
      return { userConfirmed: false };
    },
  });
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  await expect.element(screen.getByText(/We sent it to amara@lakehouse.example/)).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ username: "amara.l", ageConfirmed: true, termsVersion: TERMS_VERSION });
  expect(window.location.pathname + window.location.search).toBe("/signup/confirm?username=amara.l");
});

test("the terms that were current when the form was opened are those agreed to, whatever came since", async () => {
  const sent: SignUpRequest[] = [];
  const { screen, session } = await open("/signup", {
    signUp: (request: SignUpRequest) => {
      sent.push(request);
      return { userConfirmed: false };
    },
  });
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  session.set({ ...session.get(), termsVersion: "terms 2026-12-24, privacy 2026-12-24" });
  await create(screen);
  await expect.poll(() => sent[0]?.termsVersion).toBe(TERMS_VERSION);
});

test("while nobody knows the terms nothing is sent, and it is said what to do; then they are asked for", async () => {
  const sent: SignUpRequest[] = [];
  let termsVersion = "";
  const { screen } = await show(<Over />, {
    member: null,
    path: "/signup",
    state: { under: UNDER },
    termsVersion,
    gateway: (router) => {
      router.service(SessionService, { getSession: () => ({ termsVersion }) });
      router.service(AccountService, {
        signUp: (request) => {
          sent.push(request);
          return { userConfirmed: false };
        },
      });
    },
  });
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  await expect.element(screen.getByRole("alert")).toHaveTextContent(/try again in a minute/);
  expect(sent).toEqual([]);
  await expect.element(screen.getByRole("textbox", { name: "Email" })).toHaveValue(GOOD.Email);
  termsVersion = TERMS_VERSION;
  await create(screen);
  await expect.element(screen.getByText(/We sent it to amara@lakehouse.example/)).toBeVisible();
  expect(sent[0]?.termsVersion).toBe(TERMS_VERSION);
});

test("a refusal of the server stands at its field, which has the focus", async () => {
  const { screen } = await open("/signup", {
    signUp: () => {
      throw failure(Code.AlreadyExists, "That username is taken.", "USERNAME_EXISTS", "username");
    },
  });
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  const username = screen.getByRole("textbox", { name: "Username" });
  await expect.element(username).toHaveAccessibleDescription(/That username is taken/);
  await expect.element(username).toHaveFocus();
});

test("what was typed survives a press outside and a reload, but never the password", async () => {
  const first = await open("/signup");
  await fill(first.screen);
  await first.screen.unmount();
  const { screen } = await open("/signup");
  await expect.element(screen.getByRole("textbox", { name: "Email" })).toHaveValue(GOOD.Email);
  await expect.element(field(screen, "Password")).toHaveValue("");
  expect(JSON.stringify(sessionStorage)).not.toContain(GOOD.Password);
});

test("the address alone opens the code step, which takes the code and sends a fresh one", async () => {
  const resent = vi.fn<(request: { username: string }) => object>(() => ({}));
  const { screen } = await open(
    "/signup/confirm?username=amara.l",
    { resendConfirmationCode: resent, confirmSignUp: () => ({}) },
    { under: undefined },
  );
  await expect.element(screen.getByText("Account amara.l")).toBeVisible();
  await expect.element(screen.getByLabelText("Confirmation Code")).toHaveFocus();
  await screen.getByRole("button", { name: "Send a new code" }).click();
  await expect.element(screen.getByText(/A new code is on its way/)).toBeVisible();
  expect(resent.mock.lastCall?.[0].username).toBe("amara.l");
  expect(await axeFaults()).toEqual([]);
  await screen.getByLabelText("Confirmation Code").fill("408 112");
  await screen.getByRole("button", { name: "Confirm Account" }).click();
  await expect.element(screen.getByRole("button", { name: "Open the sign-in page" })).toBeVisible();
  expect(opened[0]).toContain("login_hint=amara.l");
  expect(sessionStorage.getItem(CONFIRMED_KEY)).toBe("yes");
});

test("who confirms in the browser that signed up is signed in by it, without another window", async () => {
  const told: unknown[] = [];
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.addEventListener("message", (event) => told.push(event.data));
  const sent: ConfirmSignUpRequest[] = [];
  const { screen } = await open("/signup/confirm?username=amara.l", {
    confirmSignUp: (request: ConfirmSignUpRequest) => {
      sent.push(request);
      return { signedIn: true };
    },
  });
  await screen.getByLabelText("Confirmation Code").fill("408112");
  await screen.getByRole("button", { name: "Confirm Account" }).click();
  await expect.poll(() => told).toEqual([{ type: "signed-in" }]);
  channel.close();
  expect(opened).toEqual([]);
  expect(sent[0]?.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(sessionStorage.getItem(CONFIRMED_KEY)).toBe("yes");
});

test("a code that was not sent is said, and can be asked for at once", async () => {
  const { screen } = await open("/signup", { signUp: () => ({ codeHeldBack: true }) });
  await fill(screen);
  await screen.getByLabelText("I am 16 or over").click();
  await create(screen);
  await expect.element(screen.getByText(/this code hasn’t gone out yet/)).toBeVisible();
  await expect.element(screen.getByText(/We sent it to/)).not.toBeInTheDocument();
  await expect.element(screen.getByRole("button", { name: "Send a new code" })).toBeEnabled();
});

test("a wrong code is said at the field, and the focus stays there", async () => {
  const { screen } = await open("/signup/confirm?username=amara.l", {
    confirmSignUp: () => {
      throw failure(Code.InvalidArgument, "That is not the code we sent.", "CODE_MISMATCH", "code");
    },
  });
  await screen.getByLabelText("Confirmation Code").fill("111111");
  await screen.getByRole("button", { name: "Confirm Account" }).click();
  await expect
    .element(screen.getByLabelText("Confirmation Code"))
    .toHaveAccessibleDescription(/not the code we sent/);
  await expect.element(screen.getByLabelText("Confirmation Code")).toHaveFocus();
});

test("who is confirmed already signs in from the mail's link", async () => {
  const { screen } = await open("/signup/confirm?username=amara.l");
  await expect.element(screen.getByText("Already confirmed?")).toBeVisible();
  await screen.getByRole("button", { name: "Sign in" }).click();
  expect(opened[0]).toContain("login_hint=amara.l");
});

test("the wait for a new code goes on where the page is loaded again", () => {
  sessionStorage.clear();
  const first = sentAt();
  sessionStorage.setItem("serein-code-sent", String(first - 30));
  expect(sentAt()).toBe(first - 30);
});

test("a new code that could not be asked for can be asked for again at once", async () => {
  let refused = false;
  const { screen } = await open("/signup/confirm?username=amara.l", {
    resendConfirmationCode: () => {
      if (refused) return {};
      refused = true;
      throw failure(Code.ResourceExhausted, "The mail could not be sent.", "CANCELED", "");
    },
  });
  const resend = screen.getByRole("button", { name: /Send a new code/ });
  await resend.click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await expect.element(resend).toHaveTextContent("Send a new code");
  await resend.click();
  await expect.element(screen.getByText(/A new code is on its way/)).toBeVisible();
  await expect.element(resend).toHaveTextContent(/ in \d+ s/);
});

test("a username that cannot be one is said to be wrong before anything is asked", async () => {
  const resent = vi.fn<() => object>(() => ({}));
  const { screen } = await open(`/signup/confirm?username=${"a".repeat(300)}`, {
    resendConfirmationCode: resent,
  });
  await screen.getByRole("button", { name: "Send a new code" }).click();
  const username = screen.getByRole("textbox", { name: "Username" });
  await expect.element(username).toHaveAccessibleDescription(/has at most 128 characters/);
  await expect.element(username).toHaveFocus();
  expect(resent).not.toHaveBeenCalled();
});

test("closing it leads to the page it was opened from", async () => {
  const { screen } = await open("/signup");
  await screen.getByRole("button", { name: "Close" }).click();
  expect(window.location.pathname).toBe(UNDER.pathname);
  expect(screen.getByRole("dialog").elements()).toEqual([]);
});
