import type { ConnectRouter } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { PreviewRequest } from "@/gen/serein/web/v1/studio_pb";
import { GetStudioResponseSchema, StudioService } from "@/gen/serein/web/v1/studio_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { mockStudio, STUDIO } from "@/testing/mock-studio";
import { axeFaults, show } from "@/testing/page";
import { MakeForm } from "./MakeForm";

beforeEach(() => sessionStorage.clear());
afterEach(() => void vi.useRealTimers());

const studio = create(GetStudioResponseSchema, STUDIO);
const form = (kind: "meditation" | "article") => (
  <main>
    <MakeForm kind={kind} studio={studio} />
  </main>
);

type Screen = Awaited<ReturnType<typeof show>>["screen"];

async function fill(screen: Screen, text = "Script") {
  await screen.getByLabelText("Title").fill("A gate closing softly");
  await screen.getByLabelText("Meditation type").selectOptions("Better Sleep");
  await screen.getByLabelText("Practice type").selectOptions("Zen (Zazen)");
  await screen.getByLabelText(text, { exact: true }).fill("Let the evening come. [pause 3]");
}

const generate = (screen: Screen) => screen.getByRole("button", { name: "Generate" });

test("Generate is off until title, type, practice and script are there, and says what it waits for", async () => {
  const { screen } = await show(form("meditation"), { gateway: (router) => mockStudio(router) });
  await expect.element(generate(screen)).toHaveAttribute("aria-disabled", "true");
  await expect
    .element(generate(screen))
    .toHaveAccessibleDescription("Needs a title, a meditation type, a practice type and a script.");
  await fill(screen);
  await expect.element(generate(screen)).not.toHaveAttribute("aria-disabled");
  await screen.getByLabelText("Title").fill(" ");
  await expect.element(generate(screen)).toHaveAccessibleDescription("Needs a title.");
  expect(await axeFaults()).toEqual([]);
});

test("words and pauses are counted under the script, and a pause that cannot be is named", async () => {
  const { screen } = await show(form("meditation"), { gateway: (router) => mockStudio(router) });
  await fill(screen);
  const script = screen.getByLabelText("Script", { exact: true });
  await expect.element(script).toHaveAccessibleDescription(/^4 words and 3 seconds of pause\./);
  await script.fill("Rest.\n[pause 90]");
  await expect.element(script).toHaveAccessibleDescription(/The brackets in line 2 aren’t a pause/);
  await expect.element(generate(screen)).toHaveAttribute("aria-disabled", "true");
});

test("the card shows what members will see", async () => {
  const { screen } = await show(form("meditation"), { gateway: (router) => mockStudio(router) });
  await fill(screen);
  await screen.getByRole("switch", { name: /^Immersive/ }).click();
  const card = screen.getByRole("complementary", { name: "As it will appear" });
  await expect.element(card.getByRole("heading", { name: "A gate closing softly" })).toBeVisible();
  await expect.element(card).toHaveTextContent("Better Sleep");
  await expect.element(card).toHaveTextContent("13 s");
});

test("what is made is narrated before one's eyes, and can then be heard", async () => {
  // Until it is asked for again nothing is narrated, however long it is looked at.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const { screen } = await show(form("meditation"), { gateway: (router) => mockStudio(router, [], 6) });
  await fill(screen);
  await screen.getByLabelText("Voice").selectOptions("Wren");
  await generate(screen).click();
  await expect
    .element(screen.getByText("You can leave this page; it will be under Unverified."))
    .toBeVisible();
  await expect.element(screen.getByLabelText("Title")).toHaveAttribute("readonly");
  await vi.advanceTimersByTimeAsync(3_000);
  await expect.element(screen.getByText(/is narrated\. Listen to it/)).toBeVisible();
  vi.useRealTimers();
  await expect.element(screen.getByLabelText("Sound of A gate closing softly")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "Go to Unverified" }))
    .toHaveAttribute("href", "/admin?tab=unverified");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Make another" }).click();
  await expect.element(screen.getByLabelText("Title")).toHaveValue("");
});

test("what is written, and what is being made, is found again after leaving", async () => {
  const setting = { gateway: (router: ConnectRouter) => mockStudio(router) };
  const before = await show(form("meditation"), setting);
  await fill(before.screen);
  await before.screen.unmount();
  const after = await show(form("meditation"), setting);
  await expect.element(after.screen.getByLabelText("Title")).toHaveValue("A gate closing softly");
  await expect.element(after.screen.getByLabelText("Practice type")).toHaveValue("zen");
  await after.screen.unmount();
  const other = await show(form("article"), setting);
  await expect.element(other.screen.getByLabelText("Title")).toHaveValue("");
});

test("a refusal stands at its field, and takes nothing away", async () => {
  const { screen } = await show(form("meditation"), {
    gateway: ({ rpc }) => {
      rpc(StudioService.method.makeMeditation, () => {
        throw failure(Code.InvalidArgument, "Line 3 is too long to be spoken.", "SCRIPT_INVALID", "script");
      });
      rpc(StudioService.method.listMade, () => ({}));
    },
  });
  await fill(screen);
  await userEvent.click(generate(screen));
  const script = screen.getByLabelText("Script", { exact: true });
  await expect.element(script).toHaveAccessibleDescription(/Line 3 is too long to be spoken\./);
  await expect.element(script).toHaveValue("Let the evening come. [pause 3]");
});

test("an article is made by the keyboard alone, and leads to where it is read", async () => {
  const { screen } = await show(form("article"), { gateway: (router) => mockStudio(router, [], 6) });
  await fill(screen, "Text");
  await screen.getByRole("switch", { name: /^Open to everybody/ }).click();
  (generate(screen).element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect
    .element(screen.getByRole("link", { name: "Read the article" }))
    .toHaveAttribute("href", "/articles/on-a-gate");
  // When it is narrated it is no longer in the list of what is being made.
  await expect.element(screen.getByText("“A gate closing softly” is narrated.")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the first passage is heard before anything is made, and goes stale with the script", async () => {
  const { screen } = await show(form("meditation"), { gateway: (router) => mockStudio(router) });
  const hear = screen.getByRole("button", { name: "Hear the first passage" });
  await expect.element(hear).toHaveAccessibleDescription("Needs a meditation type and a script.");
  await fill(screen);
  await hear.click();
  await expect.element(screen.getByText("The first passage, by Isla", { exact: false })).toBeVisible();
  await screen.getByLabelText("Script", { exact: true }).fill("Something else.");
  await expect.element(screen.getByText(/It has changed since\./)).toBeVisible();
});

test("the player is started within the press, before the first passage comes: seconds later a browser refuses it", async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  onTestFinished(() => play.mockRestore());
  const passage = gate();
  const preview = async () => {
    await passage.passed;
    return { mp3: new Uint8Array([0xff]), narratorName: "Isla" };
  };
  const { screen } = await show(form("meditation"), {
    gateway: (router) => void router.service(StudioService, { preview }),
  });
  await fill(screen);
  await screen.getByRole("button", { name: "Hear the first passage" }).click();
  await expect.poll(() => play.mock.contexts.length).toBe(1);
  const [unlocked] = play.mock.contexts;
  passage.open();
  await expect.element(screen.getByText("The first passage, by Isla", { exact: false })).toBeVisible();
  await expect.poll(() => play.mock.contexts).toEqual([unlocked, unlocked]);
  expect((unlocked as HTMLMediaElement).src).toMatch(/^blob:/);
});

test("of an article the beginning is asked for as an article's, with its title; of a meditation by the script alone", async () => {
  for (const [kind, text] of [
    ["article", "Text"],
    ["meditation", "Script"],
  ] as const) {
    const asked: PreviewRequest[] = [];
    const preview = (request: PreviewRequest) => {
      asked.push(request);
      return { mp3: new Uint8Array([0xff]), narratorName: "Isla" };
    };
    const { screen } = await show(form(kind), {
      gateway: (router) => void router.service(StudioService, { preview }),
    });
    await fill(screen, text);
    await screen.getByRole("button", { name: "Hear the first passage" }).click();
    await expect.element(screen.getByText("The first passage, by Isla", { exact: false })).toBeVisible();
    const article = kind === "article";
    expect(asked).toMatchObject([
      {
        article,
        title: article ? "A gate closing softly" : "",
        script: "Let the evening come. [pause 3]",
        type: "better-sleep",
      },
    ]);
    await screen.getByLabelText("Title").fill("Another gate");
    await expect.poll(() => screen.getByText(/It has changed since\./).query() !== null).toBe(article);
    await screen.unmount();
    sessionStorage.clear();
  }
});
