import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import type { CancelMeditationRequest, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { CancelTermsSchema, GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { createStore, useStore } from "@/lib/store";
import { failure } from "@/testing/failure";
import { meditation } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { CancelDialog } from "./CancelDialog";

const terms = (price: number, freeLeft: number) => create(CancelTermsSchema, { price, freeLeft });
const making = (price: number, freeLeft: number, passagesDone = 1): Meditation =>
  meditation({ stage: Stage.NARRATING, passagesDone, audioUrl: "", cancelTerms: terms(price, freeLeft) });

/** The dialog over a gateway that answers as told, and what was sent to it. */
async function open(m: Meditation, answer: (r: CancelMeditationRequest) => Meditation) {
  const sent: CancelMeditationRequest[] = [];
  const onClose = vi.fn();
  const shown = await show(<CancelDialog meditation={m} onClose={onClose} />, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.cancelMeditation, (request) => {
        sent.push(request);
        return { meditation: answer(request) };
      }),
  });
  return { ...shown, sent, onClose };
}

const cancelled = () => meditation({ stage: Stage.CANCELLED, passagesDone: 0, audioUrl: "" });

test("a free one says that it costs nothing, what goes, and how many are left", async () => {
  const { screen, sent, onClose } = await open(making(0, 2), cancelled);
  await expect
    .element(screen.getByText(/this is free. You won’t keep any of it. Your 2 credits come back/))
    .toBeVisible();
  await expect
    .element(screen.getByText(/Afterwards you can cancel 1 more for free in these 24 hours/))
    .toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("button", { name: "Cancel it" }).click();
  await expect.poll(() => onClose).toHaveBeenCalled();
  expect(sent.map((r) => r.acceptedPrice)).toEqual([0]);
});

test("one that has a price says it on its button, and that what is narrated stays", async () => {
  const { screen, sent } = await open(making(2, 3, 4), () =>
    meditation({ stage: Stage.FINISHING, endedEarly: true }),
  );
  await expect
    .element(screen.getByText(/it still costs 2 credits. You keep what has been recorded/))
    .toBeVisible();
  await screen.getByRole("button", { name: "Stop it for 2 credits" }).click();
  await expect.poll(() => sent.map((r) => r.acceptedPrice)).toEqual([2]);
});

test("nothing happens where it is left to go on", async () => {
  const { screen, sent, onClose } = await open(making(0, 3), cancelled);
  await screen.getByRole("button", { name: "Keep making it" }).click();
  expect(onClose).toHaveBeenCalled();
  expect(sent).toEqual([]);
});

test("terms that change under the dialog are said before anything happens", async () => {
  const now = createStore(making(0, 3));
  const Live = () => <CancelDialog meditation={useStore(now)} onClose={() => {}} />;
  const { screen } = await show(<Live />);
  expect(screen.getByText(/More of it has been recorded since/).query()).toBeNull();
  now.set(making(2, 3, 4));
  await expect.element(screen.getByText(/More of it has been recorded since/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Stop it for 2 credits" })).toBeVisible();
  now.set(meditation({ stage: Stage.FINISHING, audioUrl: "" }));
  await expect.element(screen.getByText(/nearly finished/)).toBeVisible();
  expect(screen.getByRole("button", { name: /Stop|Cancel it/ }).query()).toBeNull();
});

test("a refusal because of changed terms leaves the dialog open and says so", async () => {
  const { screen, onClose } = await open(making(0, 1), () => {
    throw failure(
      Code.FailedPrecondition,
      "Nothing has happened yet.",
      "CANCEL_TERMS_CHANGED",
      "accepted_price",
    );
  });
  await screen.getByRole("button", { name: "Cancel it" }).click();
  await expect.element(screen.getByText(/More of it has been recorded since/)).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});
