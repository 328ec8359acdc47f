import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import {
  GetPlaceResponseSchema,
  SavePlaceResponseSchema,
  StartListeningResponseSchema,
} from "@/gen/serein/web/v1/player_pb";
import type { Places } from "@/data/places";
import { PlayerEngine, START_DELAY_MS } from "../engine/engine";
import { FakeWorld } from "../engine/testing/fakes";
import { MOST_FAILURES } from "./again";
import { itemOf } from "./item";
import { Listening } from "./listening";

const LENGTH_MS = 600_000;

interface Kept {
  turn: bigint;
  step: bigint;
  positionMs: bigint;
}

/** The gateway of one member: turns and places as its contract says. */
class Gateway {
  readonly kept = new Map<string, Kept>();
  /** Every write that arrived: position and whether it plays. */
  readonly writes: [number, boolean][] = [];
  starts = 0;
  #newest = 0n;
  #holder: unknown = null;
  #plays = "";
  /** The entry of the diary that has no line when a recording has ended. */
  withoutLine = "";
  /** Nobody hears the gateway. */
  away = false;
  /** Answers with this instead, as long as it gives an error. */
  refuses: () => ConnectError | undefined = () => undefined;

  at = (id: string): number => Number(this.kept.get(id)?.positionMs ?? 0n);

  /** As one device reaches it. */
  from(who: unknown): Places {
    const reach = async () => {
      await Promise.resolve();
      if (this.away) throw new ConnectError("no route", Code.Unavailable);
      const refusal = this.refuses();
      if (refusal) throw refusal;
    };
    const of = (id: string) => this.kept.get(id) ?? { turn: 0n, step: 0n, positionMs: 0n };
    return {
      get: async ({ id }) => {
        await reach();
        return create(GetPlaceResponseSchema, of(id));
      },
      start: async ({ id }, takeOver) => {
        await reach();
        this.starts++;
        if (id === "strange") throw new ConnectError("none", Code.NotFound);
        if (this.#plays && this.#holder !== who && !takeOver)
          return create(StartListeningResponseSchema, { otherDevice: true, otherTitle: this.#plays });
        const { turn: lastTurn, positionMs } = of(id);
        this.#newest++;
        this.#holder = who;
        this.#plays = id;
        this.kept.set(id, { turn: this.#newest, step: 0n, positionMs });
        return create(StartListeningResponseSchema, { turn: this.#newest, lastTurn, positionMs });
      },
      save: async ({ item, turn = 0n, step = 0n, positionMs = 0n, playing = false }) => {
        await reach();
        const id = item?.id ?? "";
        this.writes.push([Number(positionMs), playing]);
        const now = of(id);
        if (now.turn === turn && now.step < step) {
          this.kept.set(id, {
            turn,
            step,
            positionMs: Number(positionMs) > LENGTH_MS - 3000 ? 0n : positionMs,
          });
          if (turn === this.#newest) this.#plays = playing ? id : "";
        }
        return create(SavePlaceResponseSchema, {
          moved: now.turn !== turn || (playing && turn < this.#newest),
          diaryEntryId: Number(positionMs) === LENGTH_MS && !playing ? this.withoutLine : "",
        });
      },
    };
  }
}

const settle = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

interface DeviceOptions {
  /** null for a visitor. */
  uid?: string | null;
  /** What the gateway takes for one device: tabs of one session have it in common. */
  who?: object;
  draw?: () => number;
}

/** A tab with a player. */
function device(gateway: Gateway, { uid = "ada", who = {}, draw = () => 0.5 }: DeviceOptions = {}) {
  const world = new FakeWorld();
  const ports = world.ports();
  const { setTimeout: inTime } = ports;
  const engine = new PlayerEngine(ports);
  const turns = new Map<string, bigint>();
  const said: string[] = [];
  const listening = new Listening(engine, gateway.from(who), {
    uid: () => uid ?? undefined,
    turnIn: (id) => turns.get(id) ?? 0n,
    keepTurn: (id, turn) => turns.set(id, turn),
    sayMoved: () => said.push("moved"),
    sayLost: () => said.push("lost"),
    later: (run, ms) => void inTime(run, ms),
    draw,
  });
  return {
    engine,
    listening,
    said,
    /** Puts a recording in, at the place that this tab knows. */
    load: async (id: string, fromMs = 0) => {
      const passages = [{ index: 0, startMs: 0, durationMs: LENGTH_MS, url: `/${id}` }];
      engine.load({
        id,
        title: id,
        artist: "",
        passages,
        url: `/${id}`,
        durationMs: LENGTH_MS,
        complete: true,
      });
      if (fromMs > 0) engine.seek(fromMs);
      await settle();
    },
    play: async () => {
      engine.play();
      await settle();
      world.pass(START_DELAY_MS);
      world.audio.arrive();
      await settle();
    },
    pause: async () => {
      engine.pause();
      await settle();
    },
    /** Time passes and nothing else. */
    wait: async (ms: number) => {
      world.pass(ms);
      await settle();
    },
    /** Sound is heard, poll by poll. */
    hear: async (ms: number) => {
      for (let heard = 0; heard < ms; heard += 100) {
        world.audio.currentTime += 0.1;
        world.pass(100);
      }
      await settle();
    },
    finish: async () => {
      world.audio.finish();
      await settle();
    },
  };
}

describe("listening", () => {
  it("writes every ten seconds while it plays, at a pause and at the end, and nothing else", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    await tab.hear(25_000);
    expect(gateway.writes.map(([ms, playing]) => [Math.round(ms / 1000), playing])).toEqual([
      [10, true],
      [20, true],
    ]);
    await tab.pause();
    expect(Math.round(gateway.at("m") / 1000)).toBe(25);
    tab.listening.leave();
    tab.listening.hide();
    await settle();
    expect(gateway.writes).toHaveLength(3);
    await tab.play();
    await tab.finish();
    expect(gateway.writes.at(-1)).toEqual([LENGTH_MS, false]);
    expect(gateway.at("m")).toBe(0);
  });

  it("offers a line for the diary once a recording is heard to its end, once for each entry", async () => {
    const gateway = new Gateway();
    gateway.withoutLine = "e1";
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    await tab.hear(15_000);
    await tab.pause();
    expect(tab.listening.line.get()).toBe("");
    await tab.play();
    await tab.finish();
    expect(tab.listening.line.get()).toBe("e1");
    tab.listening.line.set("");
    await tab.play();
    await tab.finish();
    expect(tab.listening.line.get()).toBe("");
  });

  it("goes on where another device has stopped, before it is played and after", async () => {
    const gateway = new Gateway();
    const phone = device(gateway);
    await phone.load("m");
    await phone.play();
    await phone.hear(15_000);
    await phone.pause();
    const desk = device(gateway);
    await desk.load("m");
    expect(desk.engine.position()).toBe(gateway.at("m"));
    await desk.play();
    await desk.hear(30_000);
    await desk.pause();
    await phone.play();
    expect(phone.engine.position()).toBe(gateway.at("m"));
    expect(Math.round(phone.engine.position() / 1000)).toBe(45);
  });

  it("keeps the place that this tab knows where no other device has listened since", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    await tab.hear(15_000);
    await tab.pause();
    tab.engine.seek(300_000);
    await tab.play();
    expect(tab.engine.position()).toBe(300_000);
    await tab.load("other");
    await tab.load("m", 300_000);
    expect(tab.engine.position()).toBe(300_000);
  });

  it("asks where another device plays, and the first one falls silent once it is taken over", async () => {
    const gateway = new Gateway();
    const phone = device(gateway);
    const desk = device(gateway);
    await phone.load("m");
    await phone.play();
    await phone.hear(12_000);
    await desk.load("n");
    await desk.play();
    expect(desk.listening.asked.get()).toEqual({ title: "m" });
    expect(desk.engine.snapshot()).toMatchObject({ wanted: false, positionMs: 0 });
    desk.listening.answer(false);
    expect(desk.listening.asked.get()).toBeNull();
    expect(phone.engine.snapshot().wanted).toBe(true);

    await desk.play();
    desk.listening.answer(true);
    await settle();
    expect(desk.listening.asked.get()).toBeNull();
    expect(desk.engine.snapshot().wanted).toBe(true);
    await phone.hear(10_000);
    expect(phone.engine.snapshot().wanted).toBe(false);
    expect(phone.said).toEqual(["moved"]);
    await phone.hear(30_000);
    expect(phone.said).toHaveLength(1);
  });

  it("never moves a place back by a tab whose turn is over", async () => {
    const gateway = new Gateway();
    const phone = device(gateway);
    await phone.load("m");
    await phone.play();
    await phone.hear(9_000);
    await phone.pause();
    const desk = device(gateway);
    await desk.load("m");
    await desk.play();
    await desk.hear(60_000);
    await desk.pause();
    const place = gateway.at("m");
    phone.engine.seek(2_000);
    phone.listening.leave();
    await settle();
    expect(gateway.at("m")).toBe(place);
  });

  it("waits for no answer, and leaves alone what is heard already", async () => {
    const gateway = new Gateway();
    const phone = device(gateway);
    await phone.load("m");
    await phone.play();
    await phone.hear(60_000);
    await phone.pause();
    gateway.away = true;
    const desk = device(gateway);
    await desk.load("m");
    await desk.play();
    expect(desk.engine.snapshot().state).toBe("playing");
    await desk.hear(5_000);
    gateway.away = false;
    desk.listening.online();
    await settle();
    expect(Math.round(desk.engine.position() / 1000)).toBe(5);
    await desk.hear(10_000);
    expect(Math.round(gateway.at("m") / 1000)).toBe(10);
  });

  it("writes what was heard without a network once it is back, if its turn is not over", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    gateway.away = true;
    await tab.hear(30_000);
    await tab.pause();
    expect(gateway.at("m")).toBe(0);
    gateway.away = false;
    tab.listening.online();
    await settle();
    expect(Math.round(gateway.at("m") / 1000)).toBe(30);

    await tab.play();
    gateway.away = true;
    await tab.hear(30_000);
    await tab.pause();
    gateway.away = false;
    const desk = device(gateway);
    await desk.load("m");
    await desk.play();
    desk.listening.answer(true);
    await settle();
    tab.listening.online();
    await settle();
    expect(Math.round(gateway.at("m") / 1000)).toBe(30);
  });

  it("writes the place of what was in the player before, and asks no more about it", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    await tab.hear(4_000);
    await tab.load("n");
    expect(Math.round(gateway.at("m") / 1000)).toBe(4);
    tab.engine.unload();
    await settle();
    expect(gateway.kept.has("n")).toBe(false);
  });

  it("is silent of visitors, and of what the gateway refuses", async () => {
    const gateway = new Gateway();
    const visitor = device(gateway, { uid: null });
    await visitor.load("m");
    await visitor.play();
    await visitor.hear(30_000);
    expect(gateway.starts).toBe(0);
    const tab = device(gateway);
    await tab.load("strange");
    await tab.play();
    await tab.hear(60_000);
    expect(gateway.starts).toBe(1);
    expect(gateway.writes).toEqual([]);
  });

  it.for([
    ["too many requests", new ConnectError("slow", Code.ResourceExhausted, { "Retry-After": "5" })],
    ["a fault of the gateway", new ConnectError("broken", Code.Internal)],
  ] as const)("asks again after %s, while it plays and once it is paused", async ([, refusal]) => {
    const gateway = new Gateway();
    const tab = device(gateway);
    gateway.refuses = () => refusal;
    await tab.load("m");
    await tab.play();
    await tab.hear(6_000);
    gateway.refuses = () => undefined;
    await tab.hear(20_000);
    await tab.hear(200);
    expect(Math.round(gateway.at("m") / 1000)).toBe(26);

    gateway.refuses = () => refusal;
    await tab.pause();
    await tab.load("n");
    await tab.play();
    await tab.hear(4_000);
    await tab.pause();
    gateway.refuses = () => undefined;
    await tab.wait(90_000);
    expect(Math.round(gateway.at("n") / 1000)).toBe(4);
  });

  it("writes a place again that was refused, without a sound", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    await tab.play();
    await tab.hear(4_000);
    gateway.refuses = () => new ConnectError("slow", Code.ResourceExhausted);
    await tab.pause();
    gateway.refuses = () => undefined;
    expect(gateway.at("m")).toBe(0);
    await tab.wait(5_000);
    expect(Math.round(gateway.at("m") / 1000)).toBe(4);
  });

  it("asked again after a pause, takes nothing back that another device has listened to since", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    gateway.away = true;
    await tab.play();
    await tab.hear(4_000);
    await tab.pause();
    gateway.away = false;
    const phone = device(gateway);
    await phone.load("m");
    await phone.play();
    await phone.hear(60_000);
    await tab.wait(60_000);
    expect(tab.listening.asked.get()).toBeNull();
    await phone.pause();
    const place = gateway.at("m");
    tab.listening.online();
    await settle();
    tab.listening.leave();
    await settle();
    expect(gateway.at("m")).toBe(place);
  });

  it("stops asking for a turn after half an hour in vain, says so once, and begins again at the next press on play", async () => {
    const gateway = new Gateway();
    const tab = device(gateway);
    await tab.load("m");
    let asked = 0;
    gateway.refuses = () => {
      asked++;
      return new ConnectError("away", Code.Unavailable);
    };
    await tab.play();
    const first = asked;
    for (let n = 0; n < 2 * MOST_FAILURES; n++) await tab.wait(60_000);
    expect(asked - first).toBe(MOST_FAILURES);
    expect(tab.said).toEqual(["lost"]);
    gateway.refuses = () => undefined;
    await tab.pause();
    await tab.play();
    await tab.hear(11_000);
    expect(gateway.at("m")).toBeGreaterThan(0);
  });

  it("200 tabs of one session each keep their place in the end, though 93 were refused at first", async () => {
    const gateway = new Gateway();
    const who = {};
    let drawn = 0;
    const draw = () => (drawn = (drawn + 0.618) % 1);
    const tabs = Array.from({ length: 200 }, (_, i) => ({
      id: `m${i}`,
      tab: device(gateway, { who, draw }),
    }));
    for (const { id, tab } of tabs) await tab.load(id);
    let free = 107;
    let refused = 0;
    gateway.refuses = () => {
      if (free-- > 0) return undefined;
      refused++;
      return new ConnectError("slow", Code.ResourceExhausted, { "Retry-After": "2" });
    };
    for (const { tab } of tabs) await tab.play();
    expect(refused).toBe(93);
    gateway.refuses = () => undefined;
    for (const { tab } of tabs) await tab.hear(14_000);
    for (const { tab } of tabs) await tab.pause();
    expect(tabs.filter(({ id }) => gateway.at(id) < 9_900)).toEqual([]);
  });

  it("knows what the names in the player stand for", () => {
    expect(itemOf("library/lake")).toEqual({ kind: ItemKind.MEDITATION, id: "lake" });
    expect(itemOf("article/e-1")).toEqual({ kind: ItemKind.ARTICLE, id: "e-1" });
    expect(itemOf("shared/Zk3vQp")).toBeUndefined();
    expect(itemOf("0192f0c1-0000-7000-8000-0000000000a1")).toEqual({
      kind: ItemKind.BESPOKE,
      id: "0192f0c1-0000-7000-8000-0000000000a1",
    });
  });
});
