import { expect, test } from "vitest";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { generatorPage } from "@/testing/meditations";
import { createSetting } from "@/testing/page";
import { soundOf } from "./sound-of";

test("a sound is as the list of sounds has it now", async () => {
  const { data } = createSetting({
    gateway: ({ rpc }) => rpc(GeneratorService.method.getGenerator, () => generatorPage()),
  });
  expect(await soundOf(data, "rain")).toMatchObject({ id: "rain", url: expect.stringContaining("rain") });
  expect(await soundOf(data, "gone")).toBeNull();
});
