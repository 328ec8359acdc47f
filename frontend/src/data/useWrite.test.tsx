import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "react";
import { expect, test } from "vitest";
import { GenerateResponseSchema, GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { gate } from "@/testing/gate";
import { show } from "@/testing/page";
import { defineWrite, useWrite } from "./mutation";

const GENERATE = defineWrite({ method: GeneratorService.method.generate });

function Press() {
  const [title, setTitle] = useState("Rain");
  const { send, pending, trouble } = useWrite(GENERATE);
  return (
    <main>
      <button type="button" aria-busy={pending} onClick={() => void send({ title })}>
        Generate
      </button>
      <button type="button" onClick={() => setTitle("Snow")}>
        Another title
      </button>
      <p role="status">{trouble?.title}</p>
    </main>
  );
}

/** Keys of the calls that came, each of which fails like this until there is no failure left. */
async function press(failures: Code[]) {
  const keys: string[] = [];
  const titles: string[] = [];
  const answer = gate();
  const shown = await show(<Press />, {
    gateway: ({ rpc }) =>
      rpc(GeneratorService.method.generate, async ({ idempotencyKey, title: asked }) => {
        keys.push(idempotencyKey);
        titles.push(asked);
        const failure = failures.shift();
        if (failure !== undefined) throw new ConnectError("no", failure);
        await answer.passed;
        return create(GenerateResponseSchema, {});
      }),
  });
  return {
    ...shown,
    keys,
    titles,
    go: answer.open,
    button: shown.screen.getByRole("button", { name: "Generate" }),
  };
}

test("a second press while one is under way is the same press", async () => {
  const { button, keys, go } = await press([]);
  await button.click();
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  await button.click();
  go();
  await expect.element(button).toHaveAttribute("aria-busy", "false");
  expect(keys).toHaveLength(1);
});

test("pressing again after a lost answer asks for the same thing: the server does it once", async () => {
  const lost = Array.from({ length: 3 }, () => Code.Unavailable);
  const { button, screen, keys, go } = await press(lost);
  await button.click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("can’t reach Serein");
  go();
  await button.click();
  await expect.poll(() => keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test("another request after a lost answer is a new thing", async () => {
  const lost = Array.from({ length: 3 }, () => Code.Unavailable);
  const { button, screen, keys, titles, go } = await press(lost);
  await button.click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("can’t reach Serein");
  go();
  await screen.getByRole("button", { name: "Another title" }).click();
  await button.click();
  await expect.poll(() => titles).toEqual(["Rain", "Rain", "Rain", "Snow"]);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});

test("pressing again after a refusal is a new thing", async () => {
  const { button, screen, keys, go } = await press([Code.InvalidArgument]);
  await button.click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("isn’t possible");
  go();
  await button.click();
  await expect.poll(() => keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});
