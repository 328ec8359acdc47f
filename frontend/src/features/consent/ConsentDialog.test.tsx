import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { UpdateConsentsRequest } from "@/gen/serein/web/v1/account_pb";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { SessionService } from "@/gen/serein/web/v1/session_pb";
import { member } from "@/testing/member";
import { SESSION_CHANNEL } from "@/lib/sign-in";
import { axeFaults, show, TERMS_VERSION } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import { ConsentDialog } from "./ConsentDialog";
import { draft } from "./draft";

const NONE = { essentials: false, terms: false, analytics: false, marketing: false, termsVersion: "" };

afterEach(() => {
  draft.set(null);
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
});

async function open(
  given: Partial<typeof NONE> | null = {},
  onClose?: () => void,
  until: Promise<void> = Promise.resolve(),
  termsVersion = TERMS_VERSION,
) {
  const sent: UpdateConsentsRequest[] = [];
  const shown = await show(<ConsentDialog onClose={onClose} />, {
    member: member({ consentsMissing: true }),
    termsVersion,
    gateway: ({ service }) =>
      service(ConsentService, {
        getConsents: () => (given ? { consents: { ...NONE, ...given } } : {}),
        updateConsents: async (request) => {
          sent.push(request);
          await until;
          return { consents: request.consents };
        },
      }),
  });
  return {
    ...shown,
    sent,
    update: shown.screen.getByRole("button", { name: "Update Consent and Preferences" }),
  };
}

test("it cannot be sent before essentials and terms are on, and nothing else is switched on for the member", async () => {
  const { screen, sent, update, session } = await open();
  await expect.element(update).toHaveAttribute("aria-disabled", "true");
  await screen.getByLabelText("Essentials").click();
  await expect.element(update).toHaveAttribute("aria-disabled", "true");
  await screen.getByLabelText("Terms and privacy").click();
  expect(await axeFaults()).toEqual([]);
  await update.click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.consents).toMatchObject({
    essentials: true,
    terms: true,
    analytics: false,
    marketing: false,
    termsVersion: TERMS_VERSION,
  });
  await expect.poll(() => session.get().member?.consentsMissing).toBe(false);
});

test("what was given is on, and can be withdrawn", async () => {
  const given = { essentials: true, terms: true, marketing: true, termsVersion: TERMS_VERSION };
  const onClose = vi.fn<() => void>();
  const { screen, sent, update } = await open(given, onClose);
  await screen.getByLabelText("Marketing").click();
  await update.click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent[0]?.consents?.marketing).toBe(false);
});

test("analytics that is taken back ends here and in every other tab", async () => {
  const given = { essentials: true, terms: true, analytics: true, termsVersion: TERMS_VERSION };
  const heard: unknown[] = [];
  const other = new BroadcastChannel(SESSION_CHANNEL);
  other.addEventListener("message", ({ data }) => heard.push(data));
  const { screen, update, session } = await open(given, () => {});
  session.setConsentsGiven(true);
  await screen.getByLabelText("Analytics").click();
  await update.click();
  await expect.poll(() => heard).toEqual([{ type: "consents", analytics: false }]);
  expect(session.get().member?.analytics).toBe(false);
  other.close();
});

test.each([
  ["terms", "terms 2020-01-01, privacy 2026-10-20"],
  ["privacy policy", "terms 2026-10-01, privacy 2020-01-01"],
  ["text that nobody named", "2026-10-20"],
])("an earlier %s that was agreed to is asked for again", async (_, termsVersion) => {
  const { screen } = await open({ essentials: true, terms: true, termsVersion });
  await expect.element(screen.getByLabelText("Terms and privacy")).not.toBeChecked();
  await expect.element(screen.getByLabelText("Essentials")).toBeChecked();
});

test("a member who agreed to an earlier version sees that the terms have changed; a new member does not", async () => {
  const before = {
    essentials: true,
    terms: true,
    marketing: true,
    termsVersion: "terms 2020-01-01, privacy 2026-10-20",
  };
  const { screen } = await open(before);
  await expect.element(screen.getByRole("heading", { name: "Our terms have changed" })).toBeVisible();
  await expect.element(screen.getByText(/have changed since you agreed/)).toBeVisible();
  await expect.element(screen.getByLabelText("Marketing")).toBeChecked();
  expect(screen.getByText(/We need two things/).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await screen.unmount();
  for (const given of [null, {}, { ...before, terms: false }, { ...before, termsVersion: TERMS_VERSION }]) {
    const begun = await open(given);
    await expect.element(begun.screen.getByRole("heading", { name: "Before we begin" })).toBeVisible();
    expect(begun.screen.getByText(/have changed since you agreed/).elements()).toEqual([]);
    await begun.screen.unmount();
  }
});

test("while nobody knows the terms nothing is recorded, and it is said what to do; then they are asked for", async () => {
  const sent: UpdateConsentsRequest[] = [];
  const amara = member({ consentsMissing: true });
  let termsVersion = "";
  const { screen, session } = await show(<ConsentDialog />, {
    member: amara,
    termsVersion,
    gateway: (router) => {
      router.service(SessionService, {
        getSession: () => ({ member: { uid: amara.uid, consentsMissing: true }, termsVersion }),
      });
      router.service(ConsentService, {
        getConsents: () => ({ consents: { ...NONE, essentials: true } }),
        updateConsents: (request) => {
          sent.push(request);
          return { consents: request.consents };
        },
      });
    },
  });
  await screen.getByRole("button", { name: "Accept all" }).click();
  await expect.element(screen.getByText(/try again in a minute/)).toBeVisible();
  expect(sent).toEqual([]);
  termsVersion = TERMS_VERSION;
  await screen.getByRole("button", { name: "Accept all" }).click();
  await expect.poll(() => sent[0]?.consents?.termsVersion).toBe(TERMS_VERSION);
  await expect.poll(() => session.get().member?.consentsMissing).toBe(false);
});

test("to a member of whom nothing is known, nothing is switched on", async () => {
  const { screen } = await open(null);
  for (const name of ["Essentials", "Terms and privacy", "Analytics", "Marketing"])
    await expect.element(screen.getByLabelText(name)).not.toBeChecked();
});

test("who does not agree can sign out, and only who may close it has a close button", async () => {
  const { screen, app } = await open();
  const signOut = vi.spyOn(app, "signOut");
  await expect.element(screen.getByRole("heading", { name: "Before we begin" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Close" }).elements()).toEqual([]);
  await screen.getByRole("button", { name: "sign out" }).click();
  expect(signOut).toHaveBeenCalledOnce();
  await screen.unmount();
  const closable = await open({ essentials: true, terms: true, termsVersion: TERMS_VERSION }, () => {});
  await expect.element(closable.screen.getByRole("button", { name: "Close" })).toBeVisible();
  expect(closable.screen.getByRole("button", { name: "sign out" }).elements()).toEqual([]);
});

test("Accept all gives the four, and says so once, however often it is pressed", async () => {
  let answer = () => {};
  const { screen, sent } = await open(
    {},
    undefined,
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await screen.getByRole("button", { name: "Accept all" }).dblClick();
  answer();
  await expect.poll(() => toaster.list.get()).toHaveLength(1);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.consents).toMatchObject({
    essentials: true,
    terms: true,
    analytics: true,
    marketing: true,
  });
});

test("Only what is needed goes on at once, with one press, as Accept all does", async () => {
  const { screen, sent, session } = await open({ analytics: true });
  await screen.getByRole("button", { name: "Only what is needed" }).click();
  await expect.poll(() => sent).toHaveLength(1);
  await expect.poll(() => session.get().member?.consentsMissing).toBe(false);
  expect(sent[0]?.consents).toMatchObject({
    essentials: true,
    terms: true,
    analytics: false,
    marketing: false,
  });
});

test("what is missing is named and has the focus when one would go on without it", async () => {
  const { screen, sent, update } = await open({ essentials: true });
  await update.click({ force: true });
  await expect.element(screen.getByText("Please switch on: Terms and privacy.")).toBeVisible();
  await expect.element(screen.getByLabelText("Terms and privacy")).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await screen.getByLabelText("Terms and privacy").click();
  expect(screen.getByText(/Please switch on/).elements()).toEqual([]);
  expect(sent).toEqual([]);
});

test("the focus is in it from the beginning, and stays there when the answers have come", async () => {
  const { screen } = await open();
  await expect.element(screen.getByLabelText("Marketing")).toBeVisible();
  await expect.element(screen.getByRole("heading", { name: "Before we begin" })).toHaveFocus();
});

test("what was switched is kept while the terms are read, and forgotten when the dialog is closed", async () => {
  const given = { essentials: true, terms: true, termsVersion: TERMS_VERSION };
  const first = await open(given, () => {});
  await first.screen.getByLabelText("Analytics").click();
  await first.screen.unmount();
  const second = await open(given, () => {});
  await expect.element(second.screen.getByLabelText("Analytics")).toBeChecked();
  await second.screen.getByRole("button", { name: "Close" }).click();
  await second.screen.unmount();
  const third = await open(given, () => {});
  await expect.element(third.screen.getByLabelText("Analytics")).not.toBeChecked();
});

test("terms that change while the dialog is open must be agreed to again, and the other answers stay", async () => {
  const first = await open({ essentials: true });
  await first.screen.getByLabelText("Terms and privacy").click();
  await first.screen.getByLabelText("Analytics").click();
  await first.screen.unmount();
  const second = await open(
    { essentials: true },
    undefined,
    undefined,
    "terms 2026-12-24, privacy 2026-12-24",
  );
  await expect.element(second.screen.getByLabelText("Terms and privacy")).not.toBeChecked();
  await expect.element(second.screen.getByLabelText("Analytics")).toBeChecked();
});

test("the answers and all four switches are seen on a phone without scrolling, each answer in one line", async () => {
  await page.viewport(360, 740);
  const { screen, update } = await open();
  await expect.element(update).toBeVisible();
  await expect.poll(() => update.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(740);
  const foot = update.element().closest("form")?.lastElementChild?.getBoundingClientRect().top ?? 0;
  expect(
    screen
      .getByText(/credits run low/)
      .element()
      .getBoundingClientRect().bottom,
  ).toBeLessThanOrEqual(foot);
  for (const name of ["Only what is needed", "Accept all"]) {
    const text = document.createRange();
    text.selectNodeContents(screen.getByRole("button", { name }).element());
    expect(text.getClientRects()).toHaveLength(1);
  }
  await page.viewport(1280, 800);
});
