import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import type { GenerateRequest } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, OutsideSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { member } from "@/testing/member";
import { generatorPage, meditation, narrators, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Form } from "./Form";

beforeEach(() => sessionStorage.clear());

type Told = {
  writer?: string;
  narrators?: { narratorId: string; recipient: string }[];
  keepInside?: boolean;
};

/** The form where these get words of a meditation; null where the server cannot say who does. */
async function form(told: Told | null) {
  const asked: GenerateRequest[] = [];
  const gateway = ({ rpc }: ConnectRouter) => {
    rpc(GeneratorService.method.listNarrators, () => narrators());
    rpc(GeneratorService.method.generate, (request) => {
      asked.push(request);
      return { meditation: meditation({ id: "new", stage: Stage.LISTENING }) };
    });
    rpc(GeneratorService.method.watchMeditation, async function* () {
      yield { meditation: meditation(), newSegments: segments(6) };
    });
  };
  const page = generatorPage();
  if (told) page.outside = create(OutsideSchema, told);
  const { screen } = await show(
    <main>
      <Form page={page} />
    </main>,
    { gateway, member: member() },
  );
  const generate = async () => {
    await screen.getByRole("textbox", { name: "Title" }).fill("Before the meeting");
    await screen.getByRole("button", { name: "Generate" }).click();
    await expect.poll(() => asked.length).toBe(1);
    return asked[0];
  };
  return {
    screen,
    generate,
    keep: screen.getByRole("checkbox", { name: "Keep this meditation inside Serein" }),
  };
}

const wren = { narratorId: "wren", recipient: "Voices Ltd" };

test("the form says who gets the title, and the member may keep it inside", async () => {
  const { screen, generate, keep } = await form({ writer: "Writers Ltd", narrators: [wren] });
  await expect
    .element(screen.getByText(/^Writers Ltd writes this one\. Your title goes there/))
    .toBeVisible();
  await expect.element(keep).not.toBeChecked();
  expect(await axeFaults()).toEqual([]);
  await keep.click();
  await expect.element(screen.getByText(/nobody else gets a word of it/)).toBeVisible();
  expect(await generate()).toMatchObject({ keepInside: true });
});

test("the title goes out where the member leaves it so", async () => {
  const { generate, keep } = await form({ writer: "Writers Ltd" });
  await expect.element(keep).toBeVisible();
  expect(await generate()).toMatchObject({ keepInside: false });
});

test("the choice of the last time stands", async () => {
  const { generate, keep } = await form({ writer: "Writers Ltd", keepInside: true });
  await expect.element(keep).toBeChecked();
  expect(await generate()).toMatchObject({ keepInside: true });
});

test("what is kept inside has no narrator who speaks outside", async () => {
  const { screen, generate, keep } = await form({ narrators: [wren] });
  await expect
    .element(screen.getByText("Nothing of this one leaves Serein, with the voice it has now."))
    .toBeVisible();
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  await screen.getByRole("radio", { name: /^Wren/ }).click();
  await expect.element(screen.getByText(/^Voices Ltd speaks this one/)).toBeVisible();
  await keep.click();
  await expect.element(screen.getByRole("radio", { name: /^Isla, chosen for/ })).toBeChecked();
  await expect.element(screen.getByRole("radio", { name: /^Wren/ })).not.toBeInTheDocument();
  expect(await generate()).toMatchObject({ keepInside: true, narratorId: "" });
});

test("nothing is said where nobody outside helps", async () => {
  const { generate, keep } = await form({});
  await expect.element(keep).not.toBeInTheDocument();
  expect(await generate()).toMatchObject({ keepInside: false });
});

test("the title is kept inside where the server cannot say who gets it", async () => {
  const { generate, keep } = await form(null);
  await expect.element(keep).not.toBeInTheDocument();
  expect(await generate()).toMatchObject({ keepInside: true });
});
