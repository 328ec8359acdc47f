import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { beforeEach, expect, test } from "vitest";
import type { CreateDraftRequest } from "@/gen/serein/web/v1/drafts_pb";
import { DraftService } from "@/gen/serein/web/v1/drafts_pb";
import { failure } from "@/testing/failure";
import { generatorPage } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Form } from "./Form";

beforeEach(() => sessionStorage.clear());

const page = (
  <main>
    <Form page={generatorPage()} />
  </main>
);

/** Answers CreateDraft, with `refusal` where there is one, and writes down what was asked. */
function gateway(refusal?: Error) {
  const asked: CreateDraftRequest[] = [];
  return {
    asked,
    gateway: ({ rpc }: ConnectRouter) => {
      rpc(DraftService.method.createDraft, (request) => {
        asked.push(request);
        if (refusal) throw refusal;
        return { draft: { id: "read", revision: 1 } };
      });
      rpc(DraftService.method.listDrafts, () => ({
        drafts: [{ id: "old", title: "Not counting the hours" }],
      }));
    },
  };
}

test("Read it first has the script written of the same answers, and opens it", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await screen.getByRole("textbox", { name: "Title" }).fill(" After the long meeting ");
  await screen.getByRole("button", { name: "Read it first" }).click();
  await expect.poll(() => asked).toMatchObject([{ title: "After the long meeting", sizeId: "reset" }]);
  expect(asked[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => location.pathname).toBe("/bespoke-meditation-generator/script/read");
});

test("a script that waits to be read is one press away", async () => {
  const { screen } = await show(page, gateway());
  const link = screen.getByRole("link", { name: "“Not counting the hours”" });
  await expect.element(link).toHaveAttribute("href", "/bespoke-meditation-generator/script/old");
  expect(await axeFaults()).toEqual([]);
});

test("without a title nothing is written, and the title says why", async () => {
  const { asked, ...setting } = gateway();
  const { screen } = await show(page, setting);
  await screen.getByRole("button", { name: "Read it first" }).click();
  await expect.element(screen.getByRole("textbox", { name: "Title" })).toHaveFocus();
  expect(asked).toEqual([]);
});

test("a title that needs care is met with care here too", async () => {
  const { screen } = await show(
    page,
    gateway(failure(Code.FailedPrecondition, "You matter.", "TITLE_NEEDS_CARE", "title")),
  );
  await screen.getByRole("textbox", { name: "Title" }).fill("I hate myself");
  await screen.getByRole("button", { name: "Read it first" }).click();
  await expect.element(screen.getByRole("heading", { name: "We’re glad you wrote that down" })).toBeVisible();
});

test("three scripts that wait are enough, and that is said", async () => {
  const { screen } = await show(
    page,
    gateway(
      failure(Code.ResourceExhausted, "You have three scripts waiting to be read.", "TOO_MANY_DRAFTS", ""),
    ),
  );
  await screen.getByRole("textbox", { name: "Title" }).fill("One more");
  await screen.getByRole("button", { name: "Read it first" }).click();
  await expect.element(screen.getByText("You have three scripts waiting to be read.")).toBeVisible();
});

test("visitors are asked to sign up, and to nothing else", async () => {
  const { screen } = await show(page, { ...gateway(), member: null });
  await expect.element(screen.getByRole("button", { name: "Create your account" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Read it first" })).not.toBeInTheDocument();
});
