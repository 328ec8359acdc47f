import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { page as pageOf, userEvent } from "vitest/browser";
import type { GenerateRequest } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { failure } from "@/testing/failure";
import { generatorPage, meditation, sample, segments } from "@/testing/meditations";
import { topUpOpen } from "@/lib/top-up";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { Form } from "./Form";

beforeEach(() => sessionStorage.clear());

const page = (
  <main>
    <Form page={generatorPage()} />
  </main>
);

/** Answers Generate, with `refusal` as long as there is one, and writes down what was asked. */
function gateway(refusal?: Error) {
  const asked: GenerateRequest[] = [];
  return {
    asked,
    gateway: ({ rpc }: ConnectRouter) => {
      rpc(GeneratorService.method.generate, (request) => {
        asked.push(request);
        if (refusal) throw refusal;
        return {
          meditation: meditation({ id: "new", stage: Stage.LISTENING }),
          credits: { plan: 1n, topUp: 0n, held: 2n },
        };
      });
      rpc(GeneratorService.method.watchMeditation, async function* () {});
    },
  };
}

test("Generate without a title says what is missing, there, with the focus", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await screen.getByRole("button", { name: "Generate" }).click();
  const title = screen.getByRole("textbox", { name: "Title" });
  await expect.element(title).toHaveFocus();
  await expect.element(title).toHaveAccessibleDescription(/Please give it a title\./);
  await expect.element(title).toBeInvalid();
  await expect.element(screen.getByText("Please give it a title.")).toBeInViewport();
  expect(asked).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("a title that a link asks for stands in the form once, whatever stood there", async () => {
  const { screen } = await show(page, {
    ...gateway(),
    path: "/bespoke-meditation-generator",
    state: { title: "A calm start" },
  });
  const title = screen.getByRole("textbox", { name: "Title" });
  await expect.element(title).toHaveValue("A calm start");
  expect(window.history.state).toBeNull();
  await title.fill("A calmer start");
  await screen.unmount();
  const again = await show(page, { ...gateway(), path: "/bespoke-meditation-generator" });
  await expect.element(again.screen.getByRole("textbox", { name: "Title" })).toHaveValue("A calmer start");
});

test("a title that the server refuses is brought into view with its reason, and the focus", async () => {
  const { asked, ...setting } = gateway(
    failure(Code.InvalidArgument, "Title must not contain profanities", "TITLE_PROFANE", "title"),
  );
  const { screen } = await show(page, setting);
  const title = screen.getByRole("textbox", { name: "Title" });
  await title.fill("damn");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.element(title).toHaveFocus();
  await expect.element(screen.getByText("Title must not contain profanities")).toBeInViewport();
  await expect.element(title).toBeInViewport();
  expect(asked).toHaveLength(1);
  await userEvent.keyboard(" and better");
  await expect.element(title).toBeValid();
});

test("a title that is too long shows its error while the member types", async () => {
  const { screen } = await show(page);
  await screen.getByRole("textbox", { name: "Title" }).fill("x".repeat(81));
  await expect.element(screen.getByText("Please keep the title to 80 characters.")).toBeVisible();
});

const LONG = "The evening before the long journey home to my sister, with all of the luggage";

test.each([360, 900, 1440])(
  "a long title is wholly visible at %d px, and its value has no line breaks",
  async (width) => {
    await pageOf.viewport(width, 800);
    const { asked, ...setting } = gateway();
    const { screen } = await show(page, setting);
    const title = screen.getByRole("textbox", { name: "Title" });
    await title.fill(LONG.replace("evening ", "evening\n"));
    await expect.element(title).toHaveValue(LONG);
    const field = title.element();
    expect(field.scrollHeight).toBeLessThanOrEqual(field.clientHeight + 1);
    expect(field.scrollWidth).toBeLessThanOrEqual(field.clientWidth);
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => asked).toMatchObject([{ title: LONG }]);
    await pageOf.viewport(1280, 800);
  },
);

test("an example becomes the title", async () => {
  const { screen } = await show(page);
  await screen.getByRole("button", { name: "Before the first train" }).click();
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Before the first train");
});

test("the answers are sent as they stand, and the page of what is being made opens", async () => {
  const { asked, ...setting } = gateway();
  const { screen, session } = await show(page, setting);
  await screen.getByRole("textbox", { name: "Title" }).fill("  Before the meeting ");
  await screen.getByRole("slider", { name: "Meditation Size" }).fill("2");
  await screen.getByLabelText("Meditation Type").selectOptions("Anger");
  await screen.getByLabelText("Practice Type").selectOptions("Zen (Zazen)");
  await screen.getByRole("radio", { name: "Rain" }).click();
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => window.location.pathname).toBe("/bespoke-meditation-generator/new");
  expect(asked).toMatchObject([
    {
      title: "Before the meeting",
      sizeId: "timeout",
      typeId: "anger",
      practiceId: "zen",
      immersive: true,
      trackId: "rain",
    },
  ]);
  expect(session.get().member?.credits, "the balance of the answer").toEqual({ plan: 1, topUp: 0, held: 2 });
});

test("without a sound it is voice only, and costs as such", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  expect(screen.getByRole("radio", { name: "None" }).query()).toBeNull();
  await expect.element(screen.getByText("Uses 2 of your 3 plan credits.")).toBeVisible();
  await screen.getByRole("switch", { name: "Immersive sound" }).click();
  await expect.element(screen.getByText("Uses 1 of your 3 plan credits.")).toBeVisible();
  expect(screen.getByRole("radio", { name: "Warm" }).query()).toBeNull();
  await screen.getByRole("textbox", { name: "Title" }).fill("Voice");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked[0]).toMatchObject({ immersive: false, trackId: "" });
});

test("a minute can be heard with the chosen sound, while what plays is quiet", async () => {
  const {
    screen,
    player,
    sample: engine,
  } = await show(page, {
    gateway: (router) => {
      gateway().gateway(router);
      router.rpc(GeneratorService.method.getSample, () => sample());
      router.rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation(), newSegments: segments(6) };
      });
    },
  });
  player.open("m1", { play: true });
  await expect.poll(() => player.engine.snapshot().wanted).toBe(true);
  await screen.getByRole("button", { name: "Hear a minute with Warm" }).click();
  await expect.element(screen.getByRole("button", { name: "Pause the minute" })).toBeVisible();
  expect(player.engine.snapshot().wanted).toBe(false);
  await expect.poll(() => engine.snapshot().loop?.id).toBe("warm");
  await screen.getByRole("radio", { name: "Rain" }).click();
  await expect.poll(() => engine.snapshot().loop?.id).toBe("rain");
  await screen.getByRole("switch", { name: "Immersive sound" }).click();
  await expect.poll(() => engine.snapshot().loop).toBeNull();
});

test("too few credits are said before anything is asked, and what they are enough for", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, {
    ...setting,
    member: member({ credits: { plan: 1, topUp: 0, held: 0 } }),
  });
  await expect.element(screen.getByText(/You have run out of meditation credits/)).toBeVisible();
  await expect.element(screen.getByText(/enough without immersive sound/)).toBeVisible();
  await screen.getByRole("button", { name: "Top up credits" }).click();
  expect(topUpOpen.get()).toBe(true);
  topUpOpen.set(false);
  await expect
    .element(screen.getByRole("button", { name: "Generate" }))
    .toHaveAttribute("aria-disabled", "true");
  await screen.getByRole("switch", { name: "Immersive sound" }).click();
  await expect.element(screen.getByRole("button", { name: "Generate" })).not.toHaveAttribute("aria-disabled");
  expect(asked).toEqual([]);
});

test("while the studio is full Generate rests with the answers, and comes back when the time is over", async () => {
  const full = failure(
    Code.ResourceExhausted,
    "The studio is full. Try again in about a minute.",
    "GENERATION_BUSY",
    "",
  );
  full.metadata.set("Retry-After", "1");
  const { asked, ...setting } = gateway(full);
  const { screen } = await show(page, setting);
  const generate = screen.getByRole("button", { name: "Generate" });
  await screen.getByRole("textbox", { name: "Title" }).fill("Before the storm");
  await generate.click();
  await expect.element(screen.getByText(/The studio is full\. Try again in about a minute\./)).toBeVisible();
  await expect.element(generate).toHaveAttribute("aria-disabled", "true");
  screen.getByRole("textbox", { name: "Title" }).element().closest("form")?.requestSubmit();
  expect(asked, "pressed too early it asks nobody").toHaveLength(1);
  await expect.element(generate).not.toHaveAttribute("aria-disabled");
  expect(screen.getByText(/The studio is full/).query()).toBeNull();
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Before the storm");
  await generate.click();
  await expect.poll(() => asked).toHaveLength(2);
});

test("a refusal that is not about the title is said beside Generate", async () => {
  const { asked, ...setting } = gateway(
    failure(Code.ResourceExhausted, "Please wait a minute.", "TOO_MANY_REQUESTS", ""),
  );
  const { screen } = await show(page, setting);
  await screen.getByRole("textbox", { name: "Title" }).fill("Before");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Please wait a minute.");
  await screen.getByRole("textbox", { name: "Title" }).fill("After");
  await expect.poll(() => screen.getByRole("alert").query()).toBeNull();
  expect(asked).toHaveLength(1);
});

test("what is written survives the end of the session, and is not shown to another member", async () => {
  const { screen, session } = await show(page);
  const title = screen.getByRole("textbox", { name: "Title" });
  await title.fill("Mine alone");
  session.becomeVisitor();
  await expect.element(screen.getByRole("button", { name: "I have an account" })).toBeVisible();
  await expect.element(title).toHaveValue("Mine alone");
  session.set({ ...session.get(), member: member() });
  await expect.element(screen.getByRole("button", { name: "Generate" })).toBeVisible();
  await expect.element(title).toHaveValue("Mine alone");
  session.set({ ...session.get(), member: member({ uid: "somebody-else" }) });
  await expect.element(title).toHaveValue("");
});

test("what is written goes from the form when its member signs out, and is nobody's draft afterwards", async () => {
  const { screen, session, data } = await show(page);
  const title = screen.getByRole("textbox", { name: "Title" });
  await title.fill("Before the meeting");
  data.forget();
  session.becomeVisitor();
  await expect.element(title).toHaveValue("");
  await title.fill("A visitor's");
  session.set({ ...session.get(), member: member({ uid: "somebody-else" }) });
  await expect.element(title).toHaveValue("A visitor's");
});

test("on a tablet a visitor reads what the account is for in full lines", async () => {
  await pageOf.viewport(900, 1000);
  const { screen } = await show(page, { member: null });
  const words = screen.getByText(/^Create an account to make this one/).element();
  expect(words.getBoundingClientRect().width).toBeGreaterThan(240);
});

test("a visitor sees the form, and is asked to sign up in the place of Generate", async () => {
  const { screen } = await show(page, { member: null });
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Create your account" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Generate" }).query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});
