import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { AmbientTrack, Meditation, Segment } from "@/gen/serein/web/v1/generator_pb";
import {
  AmbientTrackSchema,
  CancelTermsSchema,
  GeneratorService,
  GetGeneratorResponseSchema,
  JourneyService,
  MeditationSchema,
  SegmentSchema,
  Stage,
} from "@/gen/serein/web/v1/generator_pb";
import { booted } from "./booted";
import { failure } from "./failure";
import { journey } from "./mock-journey";
import { mockPlayer } from "./mock-player";

/** Generator and journey from memory. Ids of the journey's list lead to each state; Generate makes a new one live. */

const track = (id: string, name: string) =>
  create(AmbientTrackSchema, {
    id,
    name,
    url: `/media/ambience/${id}.mp3`,
    loopStartMs: 100,
    loopLengthMs: 3000,
  });
const TRACKS: AmbientTrack[] = [track("warm", "Warm"), track("ocean", "Ocean"), track("rain", "Rain")];

const SIZES = [
  {
    id: "minimed",
    name: "MiniMed",
    description: "A pause between two things.",
    expectedSeconds: 226,
    minWords: 350,
    maxWords: 380,
    breaks: 17,
    pauseSeconds: 40,
  },
  {
    id: "reset",
    name: "Reset",
    description: "Enough to begin the day again.",
    expectedSeconds: 366,
    minWords: 550,
    maxWords: 600,
    breaks: 19,
    pauseSeconds: 70,
  },
  {
    id: "timeout",
    name: "Timeout",
    description: "A long way down, and slowly back.",
    expectedSeconds: 560,
    minWords: 900,
    maxWords: 950,
    breaks: 28,
    pauseSeconds: 90,
  },
];

const TYPES = [
  ["anger", "Anger", "For heat that wants somewhere safe to go.", "Callum"],
  ["better-sleep", "Better Sleep", "For the hour when the day will not let go.", "Isla"],
  ["loving-kindness", "Loving & Kindness", "For turning warmth towards yourself and others.", "Wren"],
  ["relationships", "Relationships", "For what lies between you and somebody.", "Tomas"],
  ["resilience", "Resilience", "For standing in weather.", "Ansel"],
  ["stress-relief", "Stress Relief", "For when your body hasn’t let go of the day.", "Maren"],
] as const;

const NARRATORS = [
  ["Maren", "Even and clear, with time between the sentences."],
  ["Isla", "Low and soft, for late in the day."],
  ["Wren", "Light and bright, with a little more colour."],
  ["Tomas", "Warm and close, like somebody across the table."],
  ["Callum", "Steady and plain, a voice to lean on."],
  ["Ansel", "Deep and unhurried, with long rests."],
] as const;

const PRACTICES = [
  ["vipassana", "Vipassana", "Noticing what comes and goes, without following it."],
  ["zen", "Zen (Zazen)", "Just sitting, upright and awake."],
  [
    "mbsr",
    "Mindfulness-Based Stress Reduction (MBSR)",
    "Slow attention to body and breath, one place at a time.",
  ],
  ["secular-mindfulness", "Secular Mindfulness Meditation", "Plain attention, in plain words."],
] as const;

const LINES = [
  ["You made it to the end of that.", "Nothing more is being asked of you."],
  ["Let the chair take your weight, all of it, the way a shore takes a boat."],
  ["And when you are ready, one long breath out."],
  [
    "Somewhere behind you the room is settling.",
    "Somewhere ahead, the evening is only a quieter kind of day.",
  ],
  ["There is nothing to row towards."],
];

const PASSAGES = 19;
const PASSAGE_MS = 19_300;

const segment = (id: string, index: number): Segment => {
  const startMs = index * PASSAGE_MS;
  const spoken = LINES[index % LINES.length] ?? [];
  return create(SegmentSchema, {
    index,
    startMs: BigInt(startMs),
    durationMs: BigInt(PASSAGE_MS),
    silenceMs: BigInt(2000 + (index % 3) * 2000),
    audioUrl: `/media/meditations/${id}/segments/${index}.mp3`,
    lines: spoken.map((text, i) => ({
      text,
      startMs: BigInt(startMs + i * 6000),
      endMs: BigInt(startMs + i * 6000 + 5200),
    })),
  });
};
const segments = (id: string, n: number): Segment[] => Array.from({ length: n }, (_, i) => segment(id, i));

type Made = Partial<Omit<Meditation, "$typeName" | "$unknown">>;
const DAY = 86_400_000;
const at = (daysAgo: number) => ({
  seconds: BigInt(Math.floor((Date.now() - daysAgo * DAY) / 1000)),
  nanos: 0,
});

function meditation(id: string, title: string, typeId: string, days: number, more: Made = {}): Meditation {
  const type = TYPES.find(([known]) => known === typeId) ?? TYPES[0];
  const stage = more.stage ?? Stage.READY;
  const done = stage === Stage.READY ? PASSAGES : 0;
  return create(MeditationSchema, {
    id,
    title,
    typeId,
    typeName: type[1],
    practiceName: PRACTICES[2][1],
    sizeName: "Reset",
    immersive: true,
    track: track("rain", "Rain"),
    narratorName: type[3],
    createdAt: at(days),
    stage,
    words: 574,
    passagesDone: done,
    passagesTotal: PASSAGES,
    readyMs: BigInt(done * PASSAGE_MS),
    expectedMs: BigInt(PASSAGES * PASSAGE_MS),
    cost: 2,
    audioUrl: stage === Stage.READY ? `/media/meditations/${id}/audio.mp3` : "",
    ...more,
  });
}

const inHours = (hours: number) => timestampFromMs(Date.now() + hours * 3_600_000);

const making = (passages: number, more: Made = {}): Made => ({
  stage: Stage.NARRATING,
  passagesDone: passages,
  readyMs: BigInt(passages * PASSAGE_MS),
  ...more,
});

const LIST: Meditation[] = [
  meditation("making", "Before the first train", "resilience", 0, making(7)),
  meditation("ready", "After the long meeting", "stress-relief", 0),
  meditation("sleep", "Not counting the hours", "better-sleep", 4),
  meditation("sister", "Before I ring my sister", "relationships", 9, { immersive: false, cost: 1 }),
  meditation("failed", "Leaving it in the car", "anger", 10, {
    stage: Stage.FAILED,
    failureMessage: "We couldn’t narrate this meditation. Your credits weren’t used; please try again.",
  }),
  meditation("waiting", "Waiting for results", "resilience", 12, { deletesAt: inHours(9 * 24 + 4.2) }),
  meditation("house", "The old house", "relationships", 20, { deletesAt: inHours(0.703) }),
  meditation("gone", "A quick try", "anger", 30, { stage: Stage.DELETED, deletesAt: inHours(-30) }),
  meditation("writing", "Sunday, all of it", "loving-kindness", 0, {
    stage: Stage.WRITING,
    words: 0,
    expectedMs: 366_000n,
  }),
];
const SHOWN = ["making", "ready", "sleep", "sister", "failed", "waiting", "house", "gone"];
const shown = () => [
  ...LIST.filter((m) => m.id.startsWith("new-")),
  ...LIST.filter((m) => SHOWN.includes(m.id)),
];

const scene = () => new URLSearchParams(window.location.search).get("scene") ?? "";
/** Credits spent and given back here. The build reads this file too, where there is no page. */
let spent = 0;
const credits = () => {
  const plan = Number(booted()?.member?.credits?.plan ?? 0);
  return { plan: BigInt(plan - spent), topUp: 0n, held: 0n };
};
const find = (id: string): Meditation => {
  const found = LIST.find((m) => m.id === id);
  if (!found) throw failure(Code.NotFound, "We can’t find that meditation.", "MEDITATION_NOT_FOUND", "");
  return found;
};
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done, fail) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(new ConnectError("left", Code.Canceled));
    });
  });

/** A quarter of it is free, as with the server. */
const termsOf = (m: Meditation) =>
  [Stage.LISTENING, Stage.WRITING, Stage.NARRATING].includes(m.stage)
    ? create(CancelTermsSchema, { price: m.readyMs * 4n >= m.expectedMs ? m.cost : 0, freeLeft: 3 })
    : undefined;

/** Narrates a new meditation before the page's eyes. */
async function* narrate(m: Meditation, from: number, { signal }: HandlerContext) {
  let sent = from;
  while (m.stage !== Stage.READY && m.stage !== Stage.CANCELLED) {
    await pause(350, signal);
    if (m.stage === Stage.LISTENING) m.stage = Stage.WRITING;
    else if (m.stage === Stage.WRITING) Object.assign(m, { stage: Stage.NARRATING, words: 574 });
    else if (m.stage === Stage.NARRATING && m.passagesDone < PASSAGES) m.passagesDone++;
    else if (m.stage === Stage.NARRATING) m.stage = Stage.FINISHING;
    else if (m.stage === Stage.FINISHING) {
      m.stage = Stage.READY;
      m.audioUrl = `/media/meditations/${m.id}/audio.mp3`;
    }
    m.readyMs = BigInt(m.passagesDone * PASSAGE_MS);
    m.cancelTerms = termsOf(m);
    const newSegments = segments(m.id, m.passagesDone).slice(sent);
    sent = Math.max(sent, m.passagesDone);
    yield { meditation: m, newSegments, ...(m.stage === Stage.READY ? { credits: credits() } : {}) };
  }
}

export function mockGenerator(router: ConnectRouter): void {
  router.service(GeneratorService, {
    getGenerator: () => {
      if (scene() === "away") throw new ConnectError("no route", Code.Unavailable);
      return create(GetGeneratorResponseSchema, {
        sizes: SIZES,
        types: TYPES.map(([id, name, description, narratorName]) => ({
          id,
          name,
          description,
          narratorName,
          narratorId: narratorName.toLowerCase(),
        })),
        practices: PRACTICES.map(([id, name, description]) => ({ id, name, description })),
        tracks: TRACKS,
        costVoiceOnly: 1,
        costImmersive: 2,
        immersiveNarratorId: "isla",
        immersiveNarratorName: "Isla",
        ...(booted()?.member ? { credits: credits() } : {}),
        outside:
          scene() === "outside" || scene() === "inside"
            ? {
                writer: "OpenAI (United States)",
                narrators: [{ narratorId: "wren", recipient: "ElevenLabs" }],
                keepInside: scene() === "inside",
              }
            : {},
        ...(scene() === "running" ? { running: find("making") } : {}),
      });
    },
    checkTitle: ({ title }) => {
      if (title === "I hate myself")
        throw failure(Code.FailedPrecondition, "Nothing was charged.", "TITLE_NEEDS_CARE", "title");
      return {};
    },
    generate: (request) => {
      if (request.title === "damn")
        throw failure(Code.InvalidArgument, "Title must not contain profanities", "TITLE_PROFANE", "title");
      if (request.title === "I hate myself")
        throw failure(Code.FailedPrecondition, "Nothing was charged.", "TITLE_NEEDS_CARE", "title");
      if (request.title === "nobody home") throw new ConnectError("no route", Code.Unavailable);
      const m = meditation(`new-${request.idempotencyKey}`, request.title, request.typeId, 0, {
        stage: Stage.LISTENING,
        words: 0,
        expectedMs: 366_000n,
      });
      LIST.unshift(m);
      spent += 2;
      return { meditation: m, credits: credits() };
    },
    getGrounding: () => ({
      audioUrl: "/media/grounding/0123456789abcdef.mp3",
      durationMs: 112_000n,
      lines: [
        "I am glad you are here.",
        "Keep your eyes open, if you can, and let them rest on something near you.",
        "Put both feet on the floor, or let whatever is holding you take your weight.",
      ].map((text, i) => ({ text, startMs: BigInt(i * 9000 + 70), endMs: BigInt(i * 9000 + 5000) })),
    }),
    listNarrators: () => ({
      narrators: NARRATORS.map(([name, description]) => ({
        id: name.toLowerCase(),
        name,
        description,
        sampleUrl: `/media/sample/${name.toLowerCase()}.mp3`,
        sampleDurationMs: 7_000n,
      })),
    }),
    getSample: () => ({
      audioUrl: "/media/sample/0123456789abcdef.mp3",
      durationMs: 64_000n,
      lines: [
        "The rain has just stopped.",
        "In front of you the lake is very still, and the last drops are falling from the trees.",
        "Hear one of them land.",
      ].map((text, i) => ({ text, startMs: BigInt(i * 6000 + 70), endMs: BigInt(i * 6000 + 5000) })),
    }),
    getMeditation: ({ id }) => ({ meditation: find(id), segments: segments(id, PASSAGES) }),
    async *watchMeditation({ id, fromSegment }, context) {
      const m = find(id);
      const have = m.stage === Stage.READY ? PASSAGES : m.passagesDone;
      yield { meditation: m, newSegments: segments(id, have).slice(fromSegment) };
      if (id.startsWith("new-")) yield* narrate(m, Math.max(fromSegment, have), context);
      else if (m.stage === Stage.NARRATING || m.stage === Stage.WRITING)
        await pause(3_600_000, context.signal);
    },
    cancelMeditation: ({ id, acceptedPrice }) => {
      const m = find(id);
      if (acceptedPrice !== (m.cancelTerms?.price ?? 0))
        throw failure(
          Code.FailedPrecondition,
          "Nothing has happened yet.",
          "CANCEL_TERMS_CHANGED",
          "accepted_price",
        );
      if (acceptedPrice > 0) {
        Object.assign(m, {
          stage: Stage.READY,
          endedEarly: true,
          passagesTotal: m.passagesDone,
          expectedMs: m.readyMs,
        });
      } else {
        m.stage = Stage.CANCELLED;
        spent -= m.cost;
      }
      m.cancelTerms = undefined;
      return { meditation: m, credits: credits() };
    },
  });
  router.service(JourneyService, journey(shown));
  mockPlayer(router, shown);
}
