import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import type { WatchMeditationResponse } from "@/gen/serein/web/v1/generator_pb";
import {
  MeditationSchema,
  SegmentSchema,
  Stage,
  WatchMeditationResponseSchema,
} from "@/gen/serein/web/v1/generator_pb";
import type { LivePorts } from "./live-meditation";
import { LiveMeditation, MOST_FAILURES } from "./live-meditation";

type Script = (WatchMeditationResponse | Error)[];

const message = (stage: Stage, indexes: number[] = [], plan?: bigint) =>
  create(WatchMeditationResponseSchema, {
    meditation: create(MeditationSchema, { id: "m1", stage }),
    newSegments: indexes.map((index) => create(SegmentSchema, { index })),
    ...(plan === undefined ? {} : { credits: { plan } }),
  });

/** Answers each connection with the next script; the last connection stays open. */
function follow(...scripts: Script[]) {
  const asked: number[] = [];
  const waits: number[] = [];
  const silence = { current: () => {} };
  const ports: LivePorts = {
    async *watch(_id, fromSegment, signal) {
      const script = scripts[asked.length];
      asked.push(fromSegment);
      for (const item of script ?? []) {
        if (item instanceof Error) throw item;
        yield item;
      }
      if (!script)
        await new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("aborted"))));
    },
    online: () => true,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    draw: () => 0,
    timeout: (_ms, run) => {
      silence.current = run;
      return () => {};
    },
    received: vi.fn(),
    ended: vi.fn(),
  };
  const live = new LiveMeditation("m1", ports);
  const stop = live.subscribe(() => {});
  return { live, asked, waits, ports, stop, silence };
}

const broken = () => new ConnectError("gone away", Code.Unavailable);

describe("following a meditation", () => {
  it("keeps segments in order and each once", async () => {
    const { live } = follow([message(Stage.NARRATING, [0, 1]), message(Stage.NARRATING, [1, 2])]);
    await expect.poll(() => live.state().segments.map((s) => s.index)).toEqual([0, 1, 2]);
  });

  it("reconnects with a growing wait and asks only for what is missing", async () => {
    const { live, asked, waits } = follow(
      [message(Stage.NARRATING, [0, 1]), broken()],
      [broken()],
      [broken()],
    );
    await expect.poll(() => asked).toEqual([0, 2, 2, 2]);
    expect(waits).toEqual([500, 1000, 2000]);
    expect(live.state().meditation?.stage).toBe(Stage.NARRATING);
  });

  it("goes on where a stream merely ended before the work did", async () => {
    const { live, asked } = follow([message(Stage.WRITING)], [message(Stage.READY, [0])]);
    await expect.poll(() => live.state().link).toBe("closed");
    expect(asked).toHaveLength(2);
  });

  it("ends with the work, once, and tells the balance", async () => {
    const { live, ports, asked } = follow([message(Stage.NARRATING), message(Stage.READY, [0], 12n)]);
    await expect.poll(() => live.state().link).toBe("closed");
    expect(asked).toHaveLength(1);
    expect(ports.received).toHaveBeenCalledWith(
      expect.objectContaining({ credits: expect.objectContaining({ plan: 12n }) }),
    );
    expect(ports.ended).toHaveBeenCalledTimes(1);
  });

  it("does not report an end that was already there when it began to look", async () => {
    const { live, ports } = follow([message(Stage.READY, [0])]);
    await expect.poll(() => live.state().link).toBe("closed");
    expect(ports.ended).not.toHaveBeenCalled();
  });

  it("gives up where asking again cannot help", async () => {
    const { live, asked } = follow([new ConnectError("no", Code.NotFound)]);
    await expect.poll(() => live.state().link).toBe("gone");
    expect(asked).toHaveLength(1);
  });

  it("gives up after so many connections in a row that brought nothing, and begins again when it is asked to", async () => {
    const { live, asked, waits } = follow(
      [message(Stage.NARRATING, [0]), broken()],
      ...Array.from({ length: MOST_FAILURES - 1 }, () => [broken()]),
      [message(Stage.READY, [1])],
    );
    await expect.poll(() => live.state().link).toBe("gone");
    expect(asked).toHaveLength(MOST_FAILURES);
    expect(waits.at(-1)).toBe(8_000);
    live.retry();
    await expect.poll(() => live.state().link).toBe("closed");
  });

  it("waits a different time in each tab", async () => {
    const { waits, ports, asked } = follow([broken()], [broken()]);
    ports.draw = () => 1;
    await expect.poll(() => asked).toHaveLength(3);
    expect(waits).toEqual([750, 1500]);
  });

  it("gives up a connection that fell silent, and makes another", async () => {
    const { asked, silence } = follow();
    await expect.poll(() => asked).toHaveLength(1);
    silence.current();
    await expect.poll(() => asked).toHaveLength(2);
  });

  it("stops when nobody looks any more", async () => {
    const { live, asked, stop } = follow();
    await expect.poll(() => asked).toEqual([0]);
    stop();
    const again = live.subscribe(() => {});
    await expect.poll(() => asked).toEqual([0, 0]);
    again();
  });
});
