import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { GenerateRequest } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { member } from "@/testing/member";
import { generatorPage, meditation, narrators, sample, segments } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Form } from "./Form";

beforeEach(() => sessionStorage.clear());

const page = (
  <main>
    <Form page={generatorPage()} />
  </main>
);

/** Switches the immersive sound off, with which the type's narrator speaks. */
const voiceOnly = (screen: Awaited<ReturnType<typeof show>>["screen"]) =>
  screen.getByRole("switch", { name: "Immersive sound" }).click();

function gateway() {
  const asked: GenerateRequest[] = [];
  return {
    asked,
    gateway: ({ rpc }: ConnectRouter) => {
      rpc(GeneratorService.method.listNarrators, () => narrators());
      rpc(GeneratorService.method.getSample, () => sample());
      rpc(GeneratorService.method.generate, (request) => {
        asked.push(request);
        return { meditation: meditation({ id: "new", stage: Stage.LISTENING }) };
      });
      rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: meditation(), newSegments: segments(6) };
      });
    },
  };
}

test("immersive sound has the same narrator for each type, until another is chosen", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await expect.element(screen.getByText("Isla, chosen for immersive sound")).toBeVisible();
  await screen.getByLabelText("Meditation Type").selectOptions("Anger");
  await expect.element(screen.getByText("Isla, chosen for immersive sound")).toBeVisible();
  await voiceOnly(screen);
  await expect.element(screen.getByText("Callum, chosen for Anger")).toBeVisible();
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  await screen.getByRole("radio", { name: /^Wren/ }).click();
  await screen.getByRole("switch", { name: "Immersive sound" }).click();
  await expect.element(screen.getByRole("radio", { name: /^Wren/ })).toBeChecked();
  await expect
    .element(screen.getByRole("radio", { name: /^Isla, chosen for immersive sound/ }))
    .toBeVisible();
  await screen.getByRole("textbox", { name: "Title" }).fill("Before the meeting");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked).toMatchObject([{ narratorId: "wren", immersive: true }]);
});

test("the type's narrator speaks unless another is chosen, and the type changes who that is", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await voiceOnly(screen);
  await expect.element(screen.getByText("Maren, chosen for Stress Relief")).toBeVisible();
  await screen.getByLabelText("Meditation Type").selectOptions("Anger");
  await expect.element(screen.getByText("Callum, chosen for Anger")).toBeVisible();
  await screen.getByRole("textbox", { name: "Title" }).fill("Before the meeting");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked).toMatchObject([{ narratorId: "" }]);
});

test("the type's narrator stands first and the others after them, and the choice goes with the request", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await voiceOnly(screen);
  const open = screen.getByRole("button", { name: "Hear and choose" });
  await open.click();
  const group = screen.getByRole("group", { name: "Narrator" });
  const radios = group.getByRole("radio");
  await expect.poll(() => radios.elements().length).toBe(3);
  await expect.element(radios.nth(0)).toBeChecked();
  await expect.element(radios.nth(0)).toHaveAccessibleName(/^Maren, chosen for Stress Relief/);
  await expect.element(radios.nth(1)).toHaveAccessibleName(/^Callum/);
  await expect.element(radios.nth(2)).toHaveAccessibleName(/^Wren/);
  expect(await axeFaults()).toEqual([]);
  (radios.nth(0).element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect.element(radios.nth(2)).toBeChecked();
  await screen.getByRole("button", { name: "Close the list" }).click();
  await expect.element(screen.getByText("Chosen by you")).toBeVisible();
  await screen.getByRole("textbox", { name: "Title" }).fill("Before the meeting");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked).toMatchObject([{ narratorId: "wren" }]);
});

test("the choice is there again after the page was left, and is the type's where that type has the same narrator", async () => {
  const { screen } = await show(page, gateway());
  await voiceOnly(screen);
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  await screen.getByRole("radio", { name: /^Callum/ }).click();
  await screen.unmount();
  const again = (await show(page, gateway())).screen;
  await expect.element(again.getByText("Callum, chosen by you")).toBeVisible();
  await again.getByLabelText("Meditation Type").selectOptions("Anger");
  await expect.element(again.getByText("Callum, chosen for Anger")).toBeVisible();
});

test("one narrator is heard at a time, while what plays is quiet", async () => {
  const { screen, player, sample: engine } = await show(page, gateway());
  player.open("m1", { play: true });
  await expect.poll(() => player.engine.snapshot().wanted).toBe(true);
  await screen.getByRole("button", { name: "Hear a minute with Warm" }).click();
  await expect.element(screen.getByRole("button", { name: "Pause the minute" })).toBeVisible();
  player.engine.play();
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  await screen.getByRole("button", { name: "Hear Maren" }).click();
  expect(player.engine.snapshot().wanted).toBe(false);
  await expect.element(screen.getByRole("button", { name: "Hear a minute with Warm" })).toBeVisible();
  await screen.getByRole("button", { name: "Hear Callum" }).click();
  await expect.element(screen.getByRole("button", { name: "Hear Maren" })).toBeVisible();
  expect(engine.snapshot()).toMatchObject({ wanted: true, recording: { id: "/media/sample/callum.mp3" } });
  await screen.getByRole("button", { name: "Pause Callum" }).click();
  expect(engine.snapshot().wanted).toBe(false);
  await screen.getByRole("button", { name: "Hear Callum" }).click();
  await screen.getByRole("button", { name: "Close the list" }).click();
  expect(engine.snapshot().wanted, "its button is gone").toBe(false);
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  expect(screen.getByRole("button", { name: "Hear Wren" }).query(), "it is not recorded yet").toBeNull();
  await screen.getByRole("button", { name: "Hear a minute with Warm" }).click();
  expect(engine.snapshot()).toMatchObject({ wanted: true, recording: { id: "/media/sample/lake.mp3" } });
  await screen.getByRole("button", { name: "Close the list" }).click();
  expect(engine.snapshot().wanted, "the minute goes on").toBe(true);
});

test("without an answer the type's narrator can be chosen, and it is said that the others are missing", async () => {
  const { screen } = await show(page, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.listNarrators, () => {
        throw new ConnectError("away", Code.Internal);
      }),
  });
  await voiceOnly(screen);
  await screen.getByRole("button", { name: "Hear and choose" }).click();
  await expect
    .element(screen.getByText("The other voices aren’t here yet. We’re still trying."))
    .toBeVisible();
  await expect.element(screen.getByRole("radio", { name: /^Maren, chosen for Stress Relief/ })).toBeChecked();
});

test("the first name is said only where the member asks for it, and the wish is there again", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, { ...setting, member: member({ givenName: "Ada" }) });
  const wish = screen.getByRole("checkbox", { name: /^Say “Ada” once/ });
  await expect.element(wish).not.toBeChecked();
  await screen.getByRole("textbox", { name: "Title" }).fill("Before the meeting");
  await screen.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked).toMatchObject([{ givenName: "" }]);
  await wish.click();
  await screen.unmount();
  const again = (await show(page, { ...setting, member: member({ givenName: "Ada" }) })).screen;
  await expect.element(again.getByRole("checkbox", { name: /^Say “/ })).toBeChecked();
  await again.getByRole("button", { name: "Generate" }).click();
  await expect.poll(() => asked[1]).toMatchObject({ givenName: "Ada" });
});

test.each(["", " ", "x".repeat(41)])(
  "a profile with the first name %j offers nothing to say",
  async (givenName) => {
    const { screen } = await show(page, { ...gateway(), member: member({ givenName }) });
    await expect.element(screen.getByRole("button", { name: "Generate" })).toBeVisible();
    expect(screen.getByRole("checkbox", { name: /^Say “/ }).query()).toBeNull();
  },
);
