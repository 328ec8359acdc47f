/** What is sold, and the basket, for `npm run look`; the answers are src/testing/mock-shop.ts's and mock-basket.ts's. */

const GARMENT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 500"><rect width="400" height="500" fill="#ece4d6"/><path d="M130 120l70 30 70-30 60 70-40 40v170H110V230l-40-40z" fill="#e7dcc6" stroke="#857d6e"/><circle cx="200" cy="250" r="52" fill="#bcd4cf"/></svg>`;

/** Answers every picture of a thing. */
const pictures = (page) =>
  page.route(/icon\.svg\?/, (route) => route.fulfill({ contentType: "image/svg+xml", body: GARMENT }));

const onCore = (member) => ({
  ...member,
  plan: { ...member.plan, id: "calm-core", name: "Core", kind: "PLAN_KIND_MEMBER" },
  credits: { plan: "14", topUp: "20" },
});

const openTopUp = async (page) => {
  await page.getByRole("button", { name: "Top up credits" }).first().click();
  const packs = page
    .getByRole("dialog")
    .getByRole("radio")
    .or(page.getByRole("dialog").getByRole("listitem"));
  await packs.nth(4).waitFor();
};

const add = async (page, plan) => {
  await page.getByRole("button", { name: `Add to basket: ${plan}` }).click();
  await page.getByRole("heading", { name: "Basket", exact: true }).waitFor();
};

/** The page after paying, of an order of src/testing/mock-orders.ts. */
const orderPath = (number) => `/order-success?order=0193f2c0-0000-7000-8000-0000000${number}`;

export const shopScreens = (member) =>
  [
    { name: "memberships", path: "/memberships", member: null },
    { name: "memberships-year", path: "/memberships?period=year", member: null },
    {
      name: "memberships-member",
      path: "/memberships?scene=member",
      member: onCore(member),
      act: async (page) => page.locator("summary").first().click(),
    },
    {
      name: "memberships-change",
      path: "/memberships?scene=member",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Change Plan: Premium" }).click();
        await page.getByRole("dialog").getByText("To pay today").waitFor();
      },
    },
    ...["credited", "balance"].map((quote) => ({
      name: `memberships-change-${quote}`,
      path: `/memberships?scene=member&quote=${quote}`,
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Change Plan: Premium" }).click();
        await page.getByRole("dialog").getByText("Not now").waitFor();
      },
    })),
    {
      name: "memberships-change-waiting",
      path: "/memberships?scene=member&quote=waiting",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Change Plan: Premium" }).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "memberships-change-refused",
      path: "/memberships?scene=member&fails=yes",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Change Plan: Premium" }).click();
        await page.getByRole("button", { name: /^Pay/ }).click();
        await page.getByText(/Failed to switch subscription/).waitFor();
      },
    },
    {
      name: "memberships-changed",
      path: "/memberships?scene=member",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Change Plan: Premium" }).click();
        await page.getByRole("button", { name: /^Pay/ }).click();
        await page.getByText("You’re on Premium now").waitFor();
      },
    },
    {
      name: "contact-plan",
      path: "/contact?plan=Bespoke%20Journey",
      member: null,
    },
    { name: "apparel", path: "/apparel", member: null },
    {
      name: "apparel-sizes",
      path: "/apparel",
      act: async (page) => {
        const sizes = page.locator("details").first();
        await sizes.locator("summary").click();
        await sizes.getByRole("button", { name: "One more: The leaning pine tee, size M" }).click();
        await page.getByText("The leaning pine tee added to basket!").waitFor();
      },
    },
    { name: "basket", path: "/basket?scene=filled", member: null },
    {
      name: "basket-undo",
      path: "/basket?scene=filled",
      act: async (page) => {
        await page.getByRole("button", { name: "Remove: Rain socks, size 4 to 7" }).click();
        await page.getByText("Rain socks has been removed from your basket.").waitFor();
      },
    },
    { name: "basket-membership", path: "/basket?scene=membership" },
    { name: "basket-changed", path: "/basket?scene=changed" },
    { name: "basket-empty", path: "/basket", member: null },
    {
      name: "basket-second",
      path: "/memberships",
      member: null,
      act: async (page) => {
        await add(page, "Premium");
        await page.getByRole("link", { name: "Premium membership" }).click();
        await page.getByRole("button", { name: "Add to basket: Core" }).waitFor();
        await add(page, "Core");
        await page.getByText("One membership at a time").waitFor();
      },
    },
    { name: "checkout", path: "/checkout?scene=membership" },
    { name: "checkout-goods", path: "/checkout?scene=filled" },
    { name: "checkout-visitor", path: "/checkout?scene=filled", member: null },
    { name: "order-success", path: orderPath(10377) },
    { name: "order-success-things", path: orderPath(10391) },
    { name: "order-success-confirming", path: orderPath(10428) },
    { name: "order-success-returning", path: orderPath(10360) },
    { name: "order-success-unknown", path: "/order-success" },
    { name: "orders", path: "/orders" },
    { name: "orders-empty", path: "/orders?scene=none" },
    ...["active", "cancelling", "grace"].map((plan) => ({
      name: `members-${plan}`,
      path: `/members?scene=filled&plan=${plan}`,
      member: onCore(member),
    })),
    {
      name: "members-ended",
      path: "/members?plan=ended&god=yes&letters=back&ledger=none",
      member: {
        ...onCore(member),
        admin: true,
        plan: { ...onCore(member).plan, active: false, entitlements: [] },
      },
    },
    {
      name: "members-cancel",
      path: "/members",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Cancel at the period’s end" }).click();
        await page.getByRole("radio", { name: "I’m not using it enough" }).click();
      },
    },
    {
      name: "members-cancel-lost",
      path: "/members?fails=yes",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "Cancel at the period’s end" }).click();
        await page.getByRole("button", { name: "Cancel Membership" }).click();
        await page.getByText(/only ever done once/).waitFor();
      },
    },
    {
      name: "members-god",
      path: "/members?god=yes",
      member: { ...onCore(member), admin: true },
      full: false,
      act: async (page) => {
        await page.getByRole("button", { name: "End subscription" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "End subscription" }).click();
      },
    },
    { name: "ledger", path: "/members/credits", full: false, member: onCore(member) },
    { name: "ledger-empty", path: "/members/credits?ledger=none" },
    { name: "test-payment", path: "/test-payment", member: null },
    { name: "top-up", path: "/memberships", member: onCore(member), full: false, act: openTopUp },
    { name: "top-up-trial", path: "/memberships", full: false, act: openTopUp },
    {
      name: "top-up-added",
      path: "/memberships",
      member: onCore(member),
      full: false,
      act: async (page) => {
        await openTopUp(page);
        await page.getByRole("button", { name: /^Add to Basket/ }).click();
        await page.getByRole("link", { name: "Go to your basket" }).waitFor();
      },
    },
  ].map(({ act, ...screen }) => ({
    before: pictures,
    ...screen,
    // Their answers come from memory, and no network tells when.
    act: async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (screen.path.startsWith("/members?"))
        await page.getByRole("heading", { name: "My Basket" }).waitFor();
      await act?.(page);
    },
  }));
