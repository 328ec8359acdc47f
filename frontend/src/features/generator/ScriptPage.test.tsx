import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { ChangeLineRequest, Draft } from "@/gen/serein/web/v1/drafts_pb";
import { DraftProblemKind, DraftSchema, DraftService } from "@/gen/serein/web/v1/drafts_pb";
import type { GenerateRequest } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { RouteParams } from "@/lib/router";
import { failure } from "@/testing/failure";
import { meditation } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { ScriptPage } from "./ScriptPage";

const written = (): Draft =>
  create(DraftSchema, {
    id: "read",
    revision: 1,
    title: "After the long meeting",
    typeName: "Stress Relief",
    narratorName: "Isla",
    cost: 1,
    words: 11,
    minWords: 10,
    maxWords: 20,
    rewritesLeft: 30,
    passages: [
      {
        pauseMs: 2500n,
        lines: [
          { number: 1, text: "Good evening, and welcome.", written: "Good evening, and welcome." },
          { number: 2, text: "The meeting is over.", written: "The meeting is over." },
        ],
      },
      { pauseMs: 1000n, lines: [{ number: 3, text: "Sit down now.", written: "Sit down now." }] },
    ],
  });

/** A gateway that changes one script as it is asked; `refusal` is what a line is answered with. */
function gateway(refusal?: Error) {
  const asked: ChangeLineRequest[] = [];
  const narrated: GenerateRequest[] = [];
  const letGo: string[] = [];
  const draft = written();
  const lineOf = (number: number) => {
    draft.revision++;
    const line = draft.passages.flatMap(({ lines }) => lines).find((l) => l.number === number);
    if (!line) throw new Error("no such line");
    return line;
  };
  return {
    asked,
    narrated,
    letGo,
    draft,
    gateway: ({ rpc }: ConnectRouter) => {
      rpc(DraftService.method.getDraft, () => ({ draft }));
      rpc(DraftService.method.changeLine, (request) => {
        asked.push(request);
        if (refusal) throw refusal;
        const line = lineOf(request.line);
        if (request.text !== undefined) Object.assign(line, { text: request.text, edited: true });
        if (request.dropped !== undefined) line.dropped = request.dropped;
        draft.words = line.dropped ? 7 : 11;
        draft.problems = line.dropped
          ? create(DraftSchema, {
              problems: [
                { kind: DraftProblemKind.TOO_FEW_WORDS, message: "This size needs 10 words or more." },
              ],
            }).problems
          : [];
        return { draft: create(DraftSchema, draft) };
      });
      rpc(DraftService.method.rewriteLine, ({ line }) => {
        Object.assign(lineOf(line), { text: "Being tired is welcome here.", edited: false });
        return { draft: create(DraftSchema, draft) };
      });
      rpc(DraftService.method.deleteDraft, ({ id }) => {
        letGo.push(id);
        return {};
      });
      rpc(GeneratorService.method.generate, (request) => {
        narrated.push(request);
        return {
          meditation: meditation({ id: "new", stage: Stage.LISTENING }),
          credits: { plan: 1n, topUp: 0n, held: 1n },
        };
      });
      rpc(GeneratorService.method.watchMeditation, async function* () {});
    },
  };
}

const page = (
  <main>
    <RouteParams value={{ script: "read" }}>
      <ScriptPage />
    </RouteParams>
  </main>
);

test("the words stand there by passages with their silences, and what they will cost", async () => {
  const { screen } = await show(page, gateway());
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("After the long meeting");
  await expect.element(screen.getByRole("button", { name: "The meeting is over. Edit" })).toBeVisible();
  await expect.element(screen.getByText("Pause, 2.5 seconds")).toBeVisible();
  await expect.element(screen.getByText("Pause, 1 second", { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("status")).toHaveTextContent("11 words; this size has 10 to 20");
  await expect
    .element(screen.getByRole("button", { name: "Narrate it" }))
    .toHaveAccessibleDescription(/Uses/);
  expect(await axeFaults()).toEqual([]);
});

test("a line is changed by the keyboard alone, and the focus comes back to it", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  const line = screen.getByRole("button", { name: "The meeting is over. Edit" });
  await expect.element(line).toBeVisible();
  line.element().focus();
  await userEvent.keyboard("{Enter}");
  const box = screen.getByRole("textbox", { name: "Line 2" });
  await expect.element(box).toHaveFocus();
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await expect.element(line).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await box.fill("The meeting is far away.");
  await userEvent.keyboard("{Enter}");
  const changed = screen.getByRole("button", { name: /^The meeting is far away\./ });
  await expect.element(changed).toHaveFocus();
  await expect.element(screen.getByRole("status")).toHaveTextContent(/^Saved\./);
  expect(asked).toMatchObject([{ id: "read", revision: 1, line: 2, text: "The meeting is far away." }]);
  await changed.click();
  await screen.getByRole("button", { name: "Put our line back" }).click();
  expect(asked[1]).toMatchObject({ revision: 2, line: 2, text: "The meeting is over." });
});

test("a line that is refused keeps its words, with the reason beside it", async () => {
  const { asked, ...setting } = gateway(
    failure(Code.InvalidArgument, "A narrator can’t say this.", "DRAFT_LINE_UNSPEAKABLE", "text"),
  );
  const { screen } = await show(page, setting);
  await screen.getByRole("button", { name: "Sit down now. Edit" }).click();
  const box = screen.getByRole("textbox", { name: "Line 3" });
  await box.fill("Count to 10.");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(box).toHaveFocus();
  await expect.element(box).toBeInvalid();
  await expect.element(box).toHaveAccessibleDescription("A narrator can’t say this.");
  await expect.element(box).toHaveValue("Count to 10.");
  expect(asked).toHaveLength(1);
  expect(await axeFaults()).toEqual([]);
});

test("a line that needs care shows words of care and people to talk to", async () => {
  const { screen } = await show(
    page,
    gateway(failure(Code.FailedPrecondition, "You matter.", "DRAFT_LINE_NEEDS_CARE", "text")),
  );
  await screen.getByRole("button", { name: "Sit down now. Edit" }).click();
  await screen.getByRole("textbox", { name: "Line 3" }).fill("I want to end my life.");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "There are people you can talk to" }))
    .toBeVisible();
});

test("a line is left out and taken back, and what is missing keeps it from being narrated", async () => {
  const { narrated, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await screen.getByRole("button", { name: "The meeting is over. Edit" }).click();
  await screen.getByRole("button", { name: "Leave it out" }).click();
  const back = screen.getByRole("button", { name: "Take it back The meeting is over." });
  await expect.element(back).toHaveFocus();
  const narrate = screen.getByRole("button", { name: "Narrate it" });
  await expect.element(narrate).toHaveAccessibleDescription(/This size needs 10 words or more\./);
  (narrate.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  expect(narrated).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await back.click();
  await expect.element(screen.getByText("Before it can be narrated")).not.toBeInTheDocument();
  await narrate.click();
  await expect.poll(() => narrated).toMatchObject([{ draftId: "read", draftRevision: 3, title: "" }]);
  await expect.poll(() => location.pathname).toBe("/bespoke-meditation-generator/new");
});

test("another line comes into the box in place of the old one", async () => {
  const { screen } = await show(page, gateway());
  await screen.getByRole("button", { name: "The meeting is over. Edit" }).click();
  await screen.getByRole("button", { name: "Another line" }).click();
  await expect
    .element(screen.getByRole("textbox", { name: "Line 2" }))
    .toHaveValue("Being tired is welcome here.");
});

test("starting over is asked twice", async () => {
  const { letGo, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await screen.getByRole("button", { name: "Start over" }).click();
  await expect.element(screen.getByRole("button", { name: "Keep it" })).toHaveFocus();
  await screen.getByRole("button", { name: "Keep it" }).click();
  await expect.element(screen.getByRole("button", { name: "Start over" })).toHaveFocus();
  expect(letGo).toEqual([]);
  await screen.getByRole("button", { name: "Start over" }).click();
  await screen.getByRole("button", { name: "Let it go" }).click();
  await expect.poll(() => letGo).toEqual(["read"]);
  await expect.poll(() => location.pathname).toBe("/bespoke-meditation-generator");
});

test("a script that is gone says so and leads to the generator", async () => {
  const { screen } = await show(page, {
    gateway: ({ rpc }) =>
      rpc(DraftService.method.getDraft, () => {
        throw failure(Code.NotFound, "This script isn’t here any more.", "DRAFT_NOT_FOUND", "");
      }),
  });
  await expect
    .element(screen.getByRole("heading", { name: "This script isn’t here any more" }))
    .toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Go to the generator" })).toBeVisible();
});
