import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, expect, test, vi } from "vitest";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { NEUTRAL_PAGE } from "@/lib/leave";
import { failure } from "@/testing/failure";
import { generatorPage } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Form } from "./Form";

beforeEach(() => {
  sessionStorage.clear();
  return () => vi.restoreAllMocks();
});

const page = (
  <main>
    <Form page={generatorPage()} />
  </main>
);

/** Half a second of silence, so that something can play. */
function silence(): string {
  const samples = 4000;
  const bytes = new DataView(new ArrayBuffer(44 + samples));
  const word = (at: number, text: string) =>
    [...text].forEach((c, i) => bytes.setUint8(at + i, c.charCodeAt(0)));
  word(0, "RIFF");
  bytes.setUint32(4, 36 + samples, true);
  word(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, 8000, true);
  bytes.setUint32(28, 8000, true);
  bytes.setUint16(32, 1, true);
  bytes.setUint16(34, 8, true);
  word(36, "data");
  bytes.setUint32(40, samples, true);
  for (let i = 0; i < samples; i++) bytes.setUint8(44 + i, 128);
  return URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
}

function gateway({ rpc }: ConnectRouter) {
  rpc(GeneratorService.method.generate, () => {
    throw failure(Code.FailedPrecondition, "Nothing was charged.", "TITLE_NEEDS_CARE", "title");
  });
  rpc(GeneratorService.method.getGrounding, () => ({
    audioUrl: silence(),
    durationMs: 500n,
    lines: [{ text: "I am glad you are here.", startMs: 0n, endMs: 400n }],
  }));
}

async function refused(answers: (router: ConnectRouter) => void = gateway, title = "I hate myself") {
  const made = await show(page, { gateway: answers });
  await made.screen.getByRole("textbox", { name: "Title" }).fill(title);
  await made.screen.getByRole("button", { name: "Generate" }).click();
  const care = made.screen.getByRole("region", { name: "We’re glad you wrote that down" });
  await expect.element(care).toBeInViewport();
  return { ...made, care };
}

test.each(["I am so tired of everything. ".repeat(5) + "I want to die", "I want\tto die"])(
  "a title that is too long or oddly written meets care, not a remark on that: %s",
  async (title) => {
    const { care } = await refused(gateway, title);
    await expect.element(care).toHaveFocus();
  },
);

test("words of care take the cover's place, in view and focused, and nothing is charged", async () => {
  const { screen, care, session } = await refused();
  await expect.element(care).toHaveFocus();
  await expect.element(care).toHaveAccessibleDescription(/please talk to one of the people below/);
  expect(care.element().textContent).not.toContain("I hate myself");
  await expect.element(care.getByText(/Nothing was made and nothing was charged\./)).toBeVisible();
  expect(session.get().member?.credits).toEqual({ plan: 3, topUp: 0, held: 0 });
  expect(screen.getByRole("alert").query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("helplines are links, and those of another country can be chosen", async () => {
  const { care } = await refused();
  await care.getByLabelText("Where are you?").selectOptions("United Kingdom");
  await expect
    .element(care.getByRole("link", { name: "Call 116 123" }))
    .toHaveAttribute("href", "tel:116123");
  await expect
    .element(care.getByRole("link", { name: "Text SHOUT to 85258" }))
    .toHaveAttribute("href", "sms:85258?body=SHOUT");
  await expect.element(care.getByRole("link", { name: /Call 999/ })).toHaveAttribute("href", "tel:999");
  await care.getByLabelText("Where are you?").selectOptions("Another country");
  await expect
    .element(care.getByRole("link", { name: "findahelpline.com" }))
    .toHaveAttribute("href", "https://findahelpline.com");
});

test("the grounding plays with its lines shown", async () => {
  const { care } = await refused();
  await care.getByRole("button", { name: "Play a short grounding" }).click();
  await expect.element(care.getByText("I am glad you are here.")).toHaveAttribute("aria-current", "true");
  await expect.element(care.getByRole("button", { name: "Play a short grounding" })).toBeVisible();
});

test("a recording that cannot be fetched is asked for again, and its words stand meanwhile", async () => {
  let asked = 0;
  const { care } = await refused((router) => {
    gateway(router);
    router.rpc(GeneratorService.method.getGrounding, () => {
      if (++asked === 1) throw new ConnectError("broken", Code.Internal);
      return {
        audioUrl: silence(),
        durationMs: 500n,
        lines: [{ text: "Spoken.", startMs: 0n, endMs: 400n }],
      };
    });
  });
  const words = care.getByRole("list", { name: "What is said" });
  await expect
    .element(care.getByText(/The recording isn’t here yet; .* Its words are below\./))
    .toBeVisible();
  await expect.element(words).toHaveTextContent(/^I am glad you are here\..*you can play this again\.$/);
  await expect.element(care.getByRole("list", { name: "People you can talk to" })).toBeVisible();
  const play = care.getByRole("button", { name: "Play a short grounding" });
  await expect.element(play).toHaveAttribute("aria-disabled", "true");
  await expect.element(play).not.toHaveAttribute("aria-disabled");
  await expect.element(words).toHaveTextContent("Spoken.");
});

test("a meditation that plays is quiet while the grounding speaks", async () => {
  const { care, player } = await refused();
  const pause = vi.spyOn(player.engine, "pause");
  await care.getByRole("button", { name: "Play a short grounding" }).click();
  await expect.element(care.getByText("I am glad you are here.")).toHaveAttribute("aria-current", "true");
  expect(pause).toHaveBeenCalledOnce();
});

test.each([
  ["America/New_York", "911"],
  ["Europe/London", "999"],
])("an American browser in %s shows the emergency number %s", async (timeZone, emergency) => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["en-US"]);
  const options = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ ...options, timeZone });
  const { care } = await refused();
  await expect.element(care.getByRole("link", { name: `In danger now? Call ${emergency}.` })).toBeVisible();
});

test("the way back keeps the title, and another title brings the cover back", async () => {
  const { screen, care } = await refused();
  await care.getByRole("button", { name: "Back to the title" }).click();
  const title = screen.getByRole("textbox", { name: "Title" });
  await expect.element(title).toHaveFocus();
  await expect.element(title).toHaveValue("I hate myself");
  await expect.element(title).toBeValid();
  await title.fill("A quiet evening");
  expect(care.query()).toBeNull();
});

/** The navigation that the page asks for next; it is stopped, so that the test goes on. */
function nextNavigation(): Promise<{ url: string; type: string }> {
  interface Asked extends Event {
    destination: { url: string };
    navigationType: string;
  }
  const { navigation } = window as unknown as { navigation: EventTarget };
  return new Promise((resolve) => {
    const stop = (event: Event) => {
      const asked = event as Asked;
      asked.preventDefault();
      resolve({ url: asked.destination.url, type: asked.navigationType });
    };
    navigation.addEventListener("navigate", stop, { once: true });
  });
}

test("the quick way out leads to a neutral page in this one's place, and leaves nothing in the tab", async () => {
  const { care } = await refused();
  expect(sessionStorage.length).toBeGreaterThan(0);
  const gone = nextNavigation();
  await care.getByRole("link", { name: "Leave this page now" }).click();
  expect(await gone).toEqual({ url: NEUTRAL_PAGE, type: "replace" });
  expect(sessionStorage.length).toBe(0);
  expect(document.documentElement.hidden).toBe(true);
  document.documentElement.hidden = false;
});

test("the tab does not keep a title that needs care", async () => {
  await refused();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("I hate myself");
});
