import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { page as view, userEvent } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { failure } from "@/testing/failure";
import { generatorPage } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { keepDraft, markDraft } from "./draft";
import { Form } from "./Form";
import { freshAnswers } from "./model";

const CRISIS = "I don't want to live anymore";
const JUDGED = "We’re glad you wrote that down";
const BY_HAND = "There are people you can talk to";

beforeEach(async () => {
  sessionStorage.clear();
  await view.viewport(1280, 900);
});

const page = (
  <main>
    <Form page={generatorPage()} />
  </main>
);

const needsCare = () => failure(Code.FailedPrecondition, "Nothing was charged.", "TITLE_NEEDS_CARE", "title");
const away = () => new ConnectError("no route", Code.Unavailable);

/** Judges titles as the server does, and writes down which. Each fault is thrown in place of an answer. */
function gateway(faults: { check?: () => Error; generate?: (press: number) => Error } = {}) {
  const asked = { check: [] as string[], generate: [] as string[] };
  const router = ({ rpc }: ConnectRouter) => {
    rpc(GeneratorService.method.checkTitle, ({ title }) => {
      asked.check.push(title);
      if (faults.check) throw faults.check();
      if (title === CRISIS) throw needsCare();
      return {};
    });
    rpc(GeneratorService.method.generate, ({ title }) => {
      asked.generate.push(title);
      throw faults.generate?.(asked.generate.length) ?? needsCare();
    });
    rpc(GeneratorService.method.getGrounding, () => {
      throw away();
    });
  };
  return { asked, gateway: router };
}

const broke = member({ credits: { plan: 0, topUp: 0, held: 0 } });

test.each(["Enter", "the button"])("a visitor's title is judged before the sign-up, by %s", async (by) => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, { ...setting, member: null });
  const title = screen.getByRole("textbox", { name: "Title" });
  await title.fill(CRISIS);
  const press = () =>
    by === "Enter"
      ? userEvent.keyboard("{Enter}")
      : screen.getByRole("button", { name: "Create your account" }).click();
  await press();
  await expect.element(screen.getByRole("region", { name: JUDGED })).toHaveFocus();
  expect(window.location.pathname).toBe("/");
  expect(await axeFaults()).toEqual([]);

  await title.fill("A quiet evening");
  expect(screen.getByRole("region", { name: JUDGED }).query()).toBeNull();
  await press();
  await expect.poll(() => window.location.pathname).toBe("/signup");
  expect(asked).toEqual({ check: [CRISIS, "A quiet evening"], generate: [] });
});

test.each([
  ["away", away],
  ["asked too often", () => failure(Code.ResourceExhausted, "Please wait.", "TOO_MANY_REQUESTS", "")],
])("a judge that is %s keeps no visitor from signing up", async (_, check) => {
  const { asked, ...setting } = gateway({ check });
  const { screen } = await show(page, { ...setting, member: null });
  await screen.getByRole("textbox", { name: "Title" }).fill(CRISIS);
  await screen.getByRole("button", { name: "Create your account" }).click();
  await expect.poll(() => window.location.pathname).toBe("/signup");
  expect(asked.check).toEqual([CRISIS]);
});

test("without a title nobody is asked", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, { ...setting, member: null });
  await screen.getByRole("button", { name: "Create your account" }).click();
  await expect.poll(() => window.location.pathname).toBe("/signup");
  expect(asked.check).toEqual([]);
});

test.each(["Enter", "the button"])("a member without credits is met with care too, by %s", async (by) => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, { ...setting, member: broke });
  await screen.getByRole("textbox", { name: "Title" }).fill(CRISIS);
  if (by === "Enter") await userEvent.keyboard("{Enter}");
  else await screen.getByRole("button", { name: "Generate" }).click({ force: true });
  await expect.element(screen.getByRole("region", { name: JUDGED })).toHaveFocus();
  expect(asked).toEqual({ check: [CRISIS], generate: [] });
});

test.each([
  ["a limit", () => failure(Code.ResourceExhausted, "Please wait a minute.", "TOO_MANY_REQUESTS", "")],
  ["a fault of the server's", () => new ConnectError("broken", Code.Internal)],
])("words of care outlast %s, and come into focus with every press", async (_, fault) => {
  const { asked, ...setting } = gateway({ generate: (press) => (press === 2 ? fault() : needsCare()) });
  const { screen } = await show(page, setting);
  await screen.getByRole("textbox", { name: "Title" }).fill(CRISIS);
  const generate = screen.getByRole("button", { name: "Generate" });
  await generate.click();
  const care = screen.getByRole("region", { name: JUDGED });
  await expect.element(care).toHaveFocus();
  await generate.click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await expect.element(care).toBeVisible();
  expect(screen.getByRole("complementary", { name: "Your edition" }).query()).toBeNull();
  await generate.click();
  await expect.element(care).toHaveFocus();
  expect(asked.generate).toHaveLength(3);
});

test("words of care stay when other answers change, and a reload or Back brings them again", async () => {
  const { asked, ...setting } = gateway();
  const first = await show(page, setting);
  await first.screen.getByRole("textbox", { name: "Title" }).fill(CRISIS);
  await first.screen.getByRole("button", { name: "Generate" }).click();
  const care = first.screen.getByRole("region", { name: JUDGED });
  await first.screen.getByLabelText("Meditation Type").selectOptions("Anger");
  await first.screen.getByRole("switch", { name: "Immersive sound" }).click();
  await expect.element(care).toBeVisible();
  expect(asked.check).toEqual([]);
  await first.screen.unmount();

  const { screen } = await show(page, setting);
  await expect.element(screen.getByRole("region", { name: JUDGED })).toBeVisible();
  await expect.poll(() => asked.check).toEqual([CRISIS]);
  await expect.element(screen.getByRole("region", { name: JUDGED })).toBeVisible();
  expect(document.activeElement).toBe(document.body);
});

const draft = (title: string) => {
  keepDraft({ ...freshAnswers(generatorPage()), title }, member().uid);
  markDraft(title, true);
};

test("a kept judgement stands without a server", async () => {
  draft(CRISIS);
  const { asked, ...setting } = gateway({ check: away });
  const { screen } = await show(page, setting);
  await expect.poll(() => asked.check).toEqual([CRISIS]);
  await expect.element(screen.getByRole("region", { name: JUDGED })).toBeVisible();
});

test("a kept judgement that no longer holds is taken back", async () => {
  draft("Dying for a coffee");
  const { screen } = await show(page, gateway());
  await expect.element(screen.getByRole("complementary", { name: "Your edition" })).toBeVisible();
  expect(screen.getByRole("region", { name: JUDGED }).query()).toBeNull();
});

test("a title that was never judged so is not asked about again", async () => {
  keepDraft({ ...freshAnswers(generatorPage()), title: "A quiet evening" }, member().uid);
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveValue("A quiet evening");
  expect(asked.check).toEqual([]);
});

test("a quiet line opens the helplines by hand, with no server at all", async () => {
  const { screen } = await show(page, { ...gateway({ check: away, generate: away }), member: null });
  const line = screen.getByRole("button", { name: "Having a hard time? Talk to someone." });
  await line.click();
  const care = screen.getByRole("region", { name: BY_HAND });
  await expect.element(care).toHaveFocus();
  await expect.element(care.getByRole("list", { name: "People you can talk to" })).toBeVisible();
  await expect.element(care.getByText("I am glad you are here.")).toBeVisible();
  expect(care.element().textContent).not.toMatch(/Nothing was made|meditation/);
  expect(await axeFaults()).toEqual([]);

  await screen.getByRole("textbox", { name: "Title" }).fill("A quiet evening");
  await expect.element(care).toBeVisible();
  await care.getByRole("button", { name: "Back to the title" }).click();
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveFocus();
  await expect.element(screen.getByRole("complementary", { name: "Your edition" })).toBeVisible();
});

test("where nobody judged the title, the cover stays and the quiet line with it", async () => {
  const { screen } = await show(page, gateway({ generate: () => new ConnectError("broken", Code.Internal) }));
  await screen.getByRole("textbox", { name: "Title" }).fill(CRISIS);
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await expect.element(screen.getByRole("complementary", { name: "Your edition" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: /^Having a hard time\?/ })).toBeVisible();
});

test.each([360, 900, 1440])("at %i pixels a sentence of a title is seen whole", async (width) => {
  await view.viewport(width, 900);
  const { screen } = await show(page, gateway());
  const title = screen.getByRole("textbox", { name: "Title" });
  await title.fill(CRISIS);
  await document.fonts.ready;
  const { scrollWidth, clientWidth } = title.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});
