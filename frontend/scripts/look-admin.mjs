import { sound } from "./look-meditations.mjs";

/** The workroom for `npm run look`; the answers are src/testing/mock-studio.ts's and mock-editor.ts's. */

const SCRIPT = `Let the evening come to you. There is nothing left to carry in from the day.
[pause 3]
Notice the weight of your hands. They have been busy, and they may stop now.
[pause 4]
Somewhere a gate is closing softly. You do not need to see to it.`;

const write = async (page) => {
  await page.getByLabel("Title", { exact: true }).fill("A gate closing softly");
  await page.getByLabel("Meditation type").selectOption("better-sleep");
  await page.getByLabel("Practice type").selectOption("secular-mindfulness");
  await page.getByLabel("Script").fill(SCRIPT);
  await page.getByRole("switch", { name: "Immersive" }).check();
};

const entry = "/admin?tab=editor&type=article&id=on-rain";

/** `member`: the member that the screens show, here as an admin. */
export const adminScreens = (member) => {
  const admin = { ...member, admin: true };
  return [
    { name: "admin", path: "/admin", act: write },
    {
      name: "admin-narrating",
      path: "/admin",
      act: async (page) => {
        await write(page);
        await page.getByRole("button", { name: "Generate" }).click();
        await page
          .getByText(/Narrating, passage/)
          .first()
          .waitFor();
      },
    },
    { name: "admin-article", path: "/admin?tab=article" },
    {
      name: "admin-unverified",
      path: "/admin?tab=unverified",
      before: sound,
      act: async (page) => {
        await page.getByRole("button", { name: "Verify Leaning into it" }).click();
        await page.getByText("is verified, and in the library").waitFor();
        await page.getByRole("button", { name: "Delete Three good things, badly made" }).click();
        await page.getByText("is deleted.").first().waitFor();
        await page.getByRole("button", { name: "Listen to Steam from a cup" }).click();
      },
    },
    { name: "admin-trail", path: "/admin?tab=trail" },
    { name: "admin-editor", path: "/admin?tab=editor" },
    { name: "admin-entry", path: entry },
    {
      name: "admin-entry-preview",
      path: entry,
      act: async (page) => {
        await page.getByLabel("Order").fill("four");
        await page.getByRole("button", { name: "Preview of Body" }).click();
        await page.getByRole("heading", { name: "Rain", exact: true }).waitFor();
        await page.getByRole("button", { name: "Save" }).click();
      },
    },
    {
      name: "admin-legal",
      path: "/admin?tab=editor&type=termsAndConditions&id=terms",
      act: async (page) => {
        await page.getByRole("button", { name: "Publish" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
        await page.getByText("Give it a new version.").waitFor();
      },
    },
    {
      name: "admin-picker",
      path: entry,
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Choose: Picture" }).click();
        await page.getByRole("button", { name: "A gate", exact: true }).waitFor();
      },
    },
    { name: "admin-upload", path: "/admin?tab=editor&kind=asset&new=yes" },
  ].map((screen) => ({ member: admin, ...screen }));
};
