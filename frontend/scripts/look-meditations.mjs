/** The generator, the player and My Journey for `npm run look`; the answers are src/testing/mock-generator.ts's. */

const GENERATOR = "/bespoke-meditation-generator";

/** A quiet tone as a WAV file: sound that every browser plays, without a file in the repository. */
function tone(seconds) {
  const rate = 8000;
  const bytes = Buffer.alloc(44 + rate * seconds, 128);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + rate * seconds, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(rate * seconds, 40);
  for (let i = 44; i < bytes.length; i++)
    bytes[i] = 128 + Math.round(12 * Math.sin((i * 2 * Math.PI * 220) / rate));
  return bytes;
}
const SHORT = tone(20);
const LONG = tone(370);

/** Answers every recording. */
export async function sound(page) {
  await page.route("**/media/**", (route) => {
    const all = route.request().url().endsWith("audio.mp3") ? LONG : SHORT;
    const range = /bytes=(\d+)-/.exec(route.request().headers().range ?? "");
    const from = range ? Number(range[1]) : 0;
    const headers = { "accept-ranges": "bytes", "content-type": "audio/wav" };
    if (range) headers["content-range"] = `bytes ${from}-${all.length - 1}/${all.length}`;
    return route.fulfill({ status: range ? 206 : 200, headers, body: all.subarray(from) });
  });
}

const say = async (page, title) => {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByLabel("Meditation Type").selectOption("stress-relief");
  await page.getByLabel("Practice Type").selectOption("mbsr");
};
const immersiveRain = (page) => page.getByRole("radio", { name: "Rain" }).check();

const listenAt = async (page, seconds) => {
  await page.getByRole("button", { name: /^Play/ }).first().click();
  await page
    .getByRole("button", { name: /^Pause/ })
    .first()
    .waitFor();
  const ring = page.getByRole("slider", { name: "Position" });
  await ring.focus();
  for (let at = 0; at < seconds; at += 15) await ring.press("PageUp");
  await page.waitForTimeout(900);
  await ring.blur();
};

const screens = (member) => [
  {
    name: "generator",
    path: GENERATOR,
    act: async (page) => (await say(page, "After the long meeting"), immersiveRain(page)),
  },
  {
    name: "generator-narrators",
    path: GENERATOR,
    act: async (page) => {
      await page.getByRole("button", { name: "Hear and choose" }).click();
      await page.getByRole("radio", { name: /^Wren/ }).check();
    },
  },
  { name: "script", path: `${GENERATOR}/script/read` },
  {
    name: "script-changing",
    path: `${GENERATOR}/script/read`,
    act: async (page) => {
      await page.getByRole("button", { name: /^Good evening/ }).click();
      await page.getByLabel("Line 1").fill("Count to 10 with me.");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("A narrator can’t say this.").waitFor();
    },
  },
  {
    name: "script-short",
    path: `${GENERATOR}/script/read`,
    act: async (page) => {
      for (const line of [/^The long meeting/, /^Find a place/, /^Whenever you are/]) {
        await page.getByRole("button", { name: line }).click();
        await page.getByRole("button", { name: "Leave it out" }).click();
        await page.getByLabel(/^Line/).waitFor({ state: "detached" });
      }
      await page.getByRole("heading", { name: "Before it can be narrated" }).waitFor();
    },
  },
  { name: "script-gone", path: `${GENERATOR}/script/other` },
  { name: "generator-visitor", path: GENERATOR, member: null },
  {
    name: "generator-no-credits",
    path: GENERATOR,
    member: { ...member, credits: { plan: "1" } },
    act: (page) => say(page, "Before the interview"),
  },
  {
    name: "generator-fault",
    path: GENERATOR,
    act: async (page) => {
      await say(page, "damn");
      await page.getByRole("button", { name: "Generate" }).click();
      await page.getByText("Title must not contain profanities").waitFor();
    },
  },
  {
    name: "generator-care",
    path: GENERATOR,
    act: async (page) => {
      await say(page, "I hate myself");
      await page.getByRole("button", { name: "Generate" }).click();
      await page.getByText("I am glad you are here.").waitFor();
    },
  },
  {
    name: "generator-help",
    path: GENERATOR,
    member: null,
    act: async (page) => {
      await say(page, "I don't want to live anymore");
      await page.getByRole("button", { name: /^Having a hard time/ }).click();
    },
  },
  { name: "generator-outside", path: `${GENERATOR}?scene=outside` },
  { name: "generator-inside", path: `${GENERATOR}?scene=inside` },
  { name: "generator-running", path: `${GENERATOR}?scene=running` },
  {
    name: "generator-tip",
    path: GENERATOR,
    full: false,
    act: (page) => page.getByRole("button", { name: "Learn more about sizes" }).click(),
  },
  {
    name: "generator-practices",
    path: GENERATOR,
    full: false,
    act: (page) => page.getByRole("button", { name: "Learn more about practices" }).click(),
  },
  {
    name: "generator-away",
    path: `${GENERATOR}?scene=away`,
    act: (page) => page.getByRole("main").getByRole("alert").waitFor({ timeout: 15_000 }),
  },
  { name: "making", path: `${GENERATOR}/making`, act: (page) => listenAt(page, 26) },
  { name: "making-begins", path: `${GENERATOR}/writing` },
  { name: "made", path: `${GENERATOR}/ready` },
  { name: "failed", path: `${GENERATOR}/failed` },
  { name: "gone", path: `${GENERATOR}/nothing` },
  { name: "player", path: "/journey/ready", act: (page) => listenAt(page, 220) },
  {
    name: "player-offline",
    path: "/journey/ready",
    full: false,
    act: async (page) => {
      await listenAt(page, 220);
      await page.context().setOffline(true);
    },
  },
  {
    name: "making-offline",
    path: `${GENERATOR}/making`,
    full: false,
    act: async (page) => {
      await listenAt(page, 60);
      await page.context().setOffline(true);
    },
  },
  ...["made", "player"].map((name) => ({
    name: `share-${name}`,
    path: name === "made" ? `${GENERATOR}/ready` : "/journey/ready",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("button", { name: "Make a link" }).waitFor();
    },
  })),
  {
    name: "share-link",
    path: `${GENERATOR}/ready`,
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("switch", { name: "Show my first name" }).check();
      await page.getByRole("button", { name: "Make a link" }).click();
      await page.getByRole("button", { name: "End link" }).waitFor();
    },
  },
  { name: "shared", path: "/shared/Zk3vQp9aWm2xLr7tYc5nHd8sBf4jGe6u", member: null },
  { name: "shared-gone", path: "/shared/nobody", member: null },
  {
    name: "library-share",
    path: "/meditation-library",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Share The lake after rain" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "player-voice", path: "/journey/sister" },
  // Not full: for a picture of the whole page the window is a pixel high for a moment, and the rail of panels stands elsewhere in it.
  { name: "journey", path: "/journey", full: false },
  {
    name: "journey-mini",
    path: "/journey/ready",
    act: async (page) => {
      await listenAt(page, 220);
      await page.getByRole("link", { name: /^Keep browsing/ }).click();
      await page.getByRole("region", { name: "Now playing" }).waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: "player-more",
    path: "/journey/ready",
    full: false,
    act: async (page) => {
      await listenAt(page, 220);
      await page.getByRole("link", { name: /^Keep browsing/ }).click();
      await page.getByRole("button", { name: "Sound, speed and sleep timer" }).click();
      await page.getByText("20 min").click();
    },
  },
  {
    name: "library-playing",
    path: "/meditation-library",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Play The lake after rain" }).click();
      await page.getByRole("slider", { name: "Position" }).press("PageUp");
      await page.getByRole("button", { name: "Pause The lake after rain" }).click();
      await page.waitForTimeout(900);
    },
  },
  {
    name: "library-ended",
    path: "/meditation-library",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Play The lake after rain" }).click();
      await page.getByRole("slider", { name: "Position" }).press("End");
      await page.getByRole("link", { name: /^Make one of your own/ }).waitFor();
    },
  },
  {
    name: "article-playing",
    path: "/articles/the-kind-pause",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Play The kind pause" }).click();
      await page.getByRole("slider", { name: "Position" }).press("PageUp");
      await page.getByRole("button", { name: "Play The kind pause" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: /^Pause/ }).scrollIntoViewIfNeeded();
    },
  },
  { name: "journey-introduction", path: "/journey?tab=introduction" },
  { name: "journey-library", path: "/journey?tab=library", full: false },
  {
    name: "journey-removed",
    path: "/journey?tab=library",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "Save The lake after rain to My Journey" }).click();
      await page.getByText("Item removed from your Dashboard").waitFor();
    },
  },
  { name: "journey-articles", path: "/journey?tab=articles", full: false },
  { name: "journey-deleted", path: "/journey?tab=deleted", full: false },
  { name: "journey-empty-deleted", path: "/journey?scene=empty&tab=deleted", full: false },
  { name: "diary", path: "/journey/diary" },
  { name: "diary-empty", path: "/journey/diary?scene=empty" },
  {
    name: "diary-line",
    path: "/journey/diary",
    act: (page) => page.getByRole("button", { name: /^Add a line to/ }).click(),
  },
  {
    name: "journey-menu",
    path: "/journey",
    full: false,
    act: (page) => page.getByRole("button", { name: "More for After the long meeting" }).click(),
  },
  {
    name: "journey-undo",
    path: "/journey",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "More for After the long meeting" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByText("Item removed from your Dashboard").waitFor();
    },
  },
  {
    name: "journey-rename",
    path: "/journey",
    full: false,
    act: async (page) => {
      await page.getByRole("button", { name: "More for After the long meeting" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByLabel("Title", { exact: true }).fill("damn");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Title must not contain profanities").waitFor();
    },
  },
  { name: "player-marked", path: "/journey/waiting" },
  { name: "made-marked", path: `${GENERATOR}/waiting` },
  { name: "player-gone", path: "/journey/gone" },
  { name: "journey-found", path: "/journey?tab=library&search=lake", full: false },
  { name: "journey-empty", path: "/journey?scene=empty" },
  { name: "journey-empty-library", path: "/journey?scene=empty&tab=library", full: false },
  { name: "journey-empty-articles", path: "/journey?scene=empty&tab=articles", full: false },
  { name: "journey-slow", path: "/journey?scene=slow", act: (page) => page.waitForTimeout(700) },
  {
    name: "journey-away",
    path: "/journey?scene=away",
    act: (page) => page.getByRole("main").getByRole("alert").waitFor({ timeout: 15_000 }),
  },
  {
    name: "journey-none",
    path: "/journey",
    act: (page) => page.getByLabel("Search Journey Items").fill("mountain"),
  },
];

/** Every one of them may ask for sound, by a member with enough credits. */
export const meditationScreens = (member) =>
  screens(member).map((screen) => ({
    before: sound,
    member: { ...member, credits: { plan: "5", held: "2" } },
    ...screen,
  }));
