/** The screens that `npm run look` shows. A state is reached as a member would reach it, by `act`. */

import { adminScreens } from "./look-admin.mjs";
import { meditationScreens } from "./look-meditations.mjs";
import { shopScreens } from "./look-shop.mjs";

const trialEnds = new Date(Date.now() + (4 * 24 + 18) * 3_600_000 + 756_000).toISOString();

/** A member in her trial, in the JSON of serein.web.v1.Member. */
export const MEMBER = {
  uid: "0193f2c0-0000-7000-8000-000000000001",
  givenName: "Amara",
  familyName: "Lindqvist",
  email: "amara@lakehouse.example",
  plan: {
    id: "free-trial",
    name: "Free trial",
    kind: "PLAN_KIND_TRIAL",
    endsAt: trialEnds,
    active: true,
    entitlements: ["generator", "library", "articles", "journey"],
  },
  credits: { plan: "1", held: "1" },
  journeyCount: 20,
};

const openSignUp = async (page) => {
  await page.getByRole("button", { name: "Start your free trial" }).first().click();
  await page.getByRole("dialog").waitFor();
};

const fillSignUp = async (page, username) => {
  await openSignUp(page);
  await page.getByLabel("First Name").fill("Amara");
  await page.getByLabel("Family Name").fill("Lindqvist");
  await page.getByLabel("Email").fill("amara@lakehouse.example");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill("stillwater-9-pines");
  await page.getByLabel("I am 16 or over").check();
  await page.getByRole("button", { name: "Create Account" }).click();
};

const confirm = async (page) => {
  await fillSignUp(page, "amara.l");
  await page.getByLabel("Confirmation Code").waitFor();
};

const sharePanel = (page) => page.getByRole("button", { name: "Copy link" }).waitFor();

export const SCREENS = [
  { name: "home", path: "/", member: null, age: true },
  { name: "home-member", path: "/" },
  {
    name: "home-member-paid",
    path: "/",
    member: {
      ...MEMBER,
      plan: { ...MEMBER.plan, id: "calm-core", name: "Core", kind: "PLAN_KIND_MEMBER", renews: true },
      credits: { plan: "14" },
    },
  },
  { name: "home-member-fresh", path: "/?scene=empty" },
  {
    name: "home-member-generates",
    path: "/?scene=empty",
    member: { ...MEMBER, plan: { ...MEMBER.plan, kind: "PLAN_KIND_GENERATE", entitlements: ["generator"] } },
  },
  { name: "kept", path: "/kept" },
  { name: "veil", path: "/", member: null, veil: true, full: false },
  {
    name: "menu",
    path: "/",
    full: false,
    act: async (page) => {
      const menu = page.getByRole("button", { name: "Menu", exact: true });
      if (await menu.isVisible()) await menu.click();
    },
  },
  { name: "signup", path: "/", member: null, full: false, act: openSignUp },
  { name: "signup-invited", path: "/signup?invite=AMARA-7K2F", member: null, full: false },
  { name: "signup-unknown-invite", path: "/signup?invite=NOBODY", member: null, full: false },
  {
    name: "signup-faults",
    path: "/",
    member: null,
    full: false,
    act: async (page) => {
      await openSignUp(page);
      await page.getByRole("button", { name: "Create Account" }).click();
    },
  },
  { name: "signup-taken", path: "/", member: null, full: false, act: (page) => fillSignUp(page, "taken") },
  { name: "confirm", path: "/", member: null, full: false, act: confirm },
  {
    name: "confirm-wrong",
    path: "/",
    member: null,
    full: false,
    act: async (page) => {
      await confirm(page);
      await page.getByLabel("Confirmation Code").fill("111111");
      await page.getByRole("button", { name: "Confirm Account" }).click();
      await page.getByText("That is not the code we sent.").waitFor();
    },
  },
  {
    name: "signed-up",
    path: "/",
    member: null,
    full: false,
    act: async (page) => {
      await confirm(page);
      await page.evaluate(() => (window.open = () => ({ focus() {} })));
      await page.getByLabel("Confirmation Code").fill("408112");
      await page.getByRole("button", { name: "Confirm Account" }).click();
      await page.getByText("Logging you in").first().waitFor();
    },
  },
  { name: "library", path: "/meditation-library?scene=narrating" },
  { name: "library-none", path: "/meditation-library?search=umbrella" },
  { name: "search", path: "/meditation-library?find=", full: false },
  { name: "search-results", path: "/meditation-library?find=rain&find-in=meditations", full: false },
  {
    name: "search-locked",
    path: "/?find=rain&find-in=meditations",
    full: false,
    member: { ...MEMBER, plan: { ...MEMBER.plan, entitlements: ["generator"] } },
  },
  { name: "search-category", path: "/?find=&find-category=better-sleep", full: false },
  { name: "search-none", path: "/?find=umbrella+stand", full: false },
  {
    name: "search-away",
    path: "/?find=away",
    full: false,
    act: (page) => page.getByRole("alert").waitFor({ timeout: 15_000 }),
  },
  { name: "timer", path: "/timer", member: null },
  { name: "breath", path: "/timer?tab=breath", member: null },
  {
    name: "breath-holds",
    path: "/timer?tab=breath",
    act: (page) => page.getByText("4-7-8", { exact: true }).click(),
  },
  {
    name: "timer-running",
    path: "/timer",
    act: (page) => page.getByRole("button", { name: "Begin", exact: true }).click(),
  },
  {
    name: "breath-running",
    path: "/timer?tab=breath",
    act: (page) => page.getByRole("button", { name: "Begin", exact: true }).click(),
  },
  {
    name: "timer-elsewhere",
    path: "/timer",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Begin", exact: true }).click();
      await page.getByRole("link", { name: "About" }).first().click();
      await page.getByRole("region", { name: "Timer" }).waitFor();
      await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
    },
  },
  { name: "reminders", path: "/reminders" },
  {
    name: "reminders-faults",
    path: "/reminders",
    act: (page) => page.getByRole("button", { name: "Make the calendar file" }).click(),
  },
  { name: "members", path: "/members" },
  {
    name: "consents",
    path: "/",
    member: { ...MEMBER, consentsMissing: true },
    full: false,
    act: async (page) => page.getByRole("button", { name: "Update Consent" }).waitFor(),
  },
  {
    name: "preferences",
    path: "/members",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Review" }).click();
      await page.getByLabel("Essentials").check();
      await page.getByLabel("Terms and privacy").check();
    },
  },
  ...["name", "email", "password"].map((what) => ({
    name: `members-${what}`,
    path: "/members",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: `Change your ${what}` }).click();
      await page.getByRole("dialog").waitFor();
    },
  })),
  {
    name: "members-codes",
    path: "/members",
    act: async (page) => {
      await page.getByRole("button", { name: "Change your email" }).click();
      await page.getByLabel("New email").fill("amara.lindqvist@a-rather-long-lakehouse.example");
      await page.getByLabel("Current password").fill("stillwater-9-pines");
      await page.getByRole("button", { name: "Send the codes" }).click();
      await page.getByLabel("Code sent to amara@").fill("111111");
      await page.getByRole("button", { name: "Confirm the new email" }).click();
      await page.getByText("Please enter the code from that mailbox.").waitFor();
    },
  },
  {
    name: "members-delete",
    path: "/members",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Delete my account" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "members-left",
    path: "/members",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Delete my account" }).click();
      await page.getByLabel("To confirm, enter your password").fill("stillwater-9-pines");
      await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
      await page.getByRole("heading", { name: "Your account will be deleted" }).waitFor();
    },
  },
  {
    name: "members-new",
    path: "/members",
    member: { ...MEMBER, plan: undefined, credits: {}, journeyCount: 0 },
  },
  {
    name: "members-over",
    path: "/members",
    member: {
      ...MEMBER,
      plan: { ...MEMBER.plan, active: false, endsAt: "2026-01-01T00:00:00Z" },
      credits: {},
    },
  },
  { name: "login", path: "/login", member: null },
  { name: "debug-sign-in", path: "/debug-sign-in" },
  { name: "debug-sign-in-visitor", path: "/debug-sign-in", member: null },
  { name: "articles", path: "/articles" },
  { name: "articles-visitor", path: "/articles", member: null },
  { name: "articles-filtered", path: "/articles?category=better-sleep" },
  { name: "articles-none", path: "/articles?search=umbrella+stand" },
  { name: "courses", path: "/courses" },
  { name: "course", path: "/courses/seven-quiet-evenings" },
  { name: "course-visitor", path: "/courses/seven-quiet-evenings", member: null },
  {
    name: "course-article",
    path: "/articles/what-the-breath-knows-first?course=seven-quiet-evenings",
    act: sharePanel,
  },
  { name: "article", path: "/articles/what-the-breath-knows-first", act: sharePanel },
  { name: "article-visitor", path: "/articles/rest-is-not-a-reward", member: null, act: sharePanel },
  { name: "sitemap", path: "/sitemap", member: null },
  { name: "about", path: "/about", member: null },
  { name: "contact", path: "/contact", member: null },
  {
    name: "contact-sent",
    path: "/contact",
    act: async (page) => {
      await page.getByLabel("Your Message").fill("May I keep the same words?");
      await page.getByRole("button", { name: "SEND MESSAGE" }).click();
      await page.getByText("THANKYOU FOR YOUR MESSAGE").waitFor();
    },
  },
  {
    name: "contact-failed",
    path: "/contact",
    act: async (page) => {
      await page.getByLabel("Full Name").fill("nobody home");
      await page.getByLabel("Your Message").fill("May I keep the same words?");
      await page.getByRole("button", { name: "SEND MESSAGE" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "terms", path: "/terms-and-conditions", member: null },
  { name: "privacy", path: "/privacy-policy", member: null },
  { name: "not-found", path: "/nowhere", member: null },
  ...meditationScreens(MEMBER),
  ...shopScreens(MEMBER),
  ...adminScreens(MEMBER),
];
