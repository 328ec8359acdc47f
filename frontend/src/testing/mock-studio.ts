import type { MessageInitShape } from "@bufbuild/protobuf";
import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { Made } from "@/gen/serein/web/v1/studio_pb";
import { MadeSchema, NarrationState, StudioService } from "@/gen/serein/web/v1/studio_pb";

/** The workroom's generators and list from memory. What is made takes a few questions to be narrated. */

const HOUR = 3600;
const ago = (seconds: number) => timestampFromMs(Date.now() - seconds * 1000);

const choice = (id: string, name: string, hint = "") => ({ id, name, hint });

export const STUDIO = {
  types: [
    choice("better-sleep", "Better Sleep", "Isla"),
    choice("gratitude", "Gratitude", "Wren"),
    choice("stress-relief", "Stress Relief", "Maren"),
  ],
  practices: [choice("zen", "Zen (Zazen)"), choice("secular-mindfulness", "Secular Mindfulness Meditation")],
  narrators: [choice("isla", "Isla"), choice("wren", "Wren"), choice("maren", "Maren")],
};

type Init = MessageInitShape<typeof MadeSchema>;

/** A meditation that was narrated and waits. */
export const made = (id: string, more: Init = {}): Made =>
  create(MadeSchema, {
    item: { kind: ItemKind.MEDITATION, id },
    title: "Steam from a cup",
    type: "Stress Relief",
    practice: "Zen (Zazen)",
    category: { id: "stress-relief", name: "Stress Relief", confidence: 100 },
    narration: { state: NarrationState.DONE, passagesDone: 6, passagesTotal: 6 },
    audioUrl: `/media/narrations/${id}.mp3`,
    audioSeconds: 252,
    generatedBy: "Amara",
    createdAt: ago(HOUR),
    ...more,
  } as Init);

const category = (id: string, name: string) => ({ id, name, confidence: 100 });

const first = (): Made[] => [
  made("steam"),
  made("leaning", {
    title: "Leaning into it",
    type: "Resilience",
    category: category("resilience", "Resilience"),
    immersive: true,
    audioSeconds: 363,
  }),
  made("three", {
    title: "Three good things, badly made",
    type: "Gratitude",
    category: category("gratitude", "Gratitude"),
    audioSeconds: 320,
    createdAt: ago(24 * HOUR),
  }),
  made("slamming", {
    title: "Slamming no doors",
    type: "Anger",
    category: category("anger", "Anger"),
    narration: { state: NarrationState.NARRATING, passagesDone: 2, passagesTotal: 6 },
    audioUrl: "",
    audioSeconds: 0,
  }),
];

const PASSAGES = 6;

/** A beginning of an MP3, which is all that a test needs to hold. */
const MP3 = new Uint8Array([0xff, 0xfb, 0x90, 0x00]);

/** `list`: what waits at first; `steps`: passages that are narrated with each question. */
export function mockStudio(router: ConnectRouter, list: Made[] = first(), steps = 1): void {
  let all = list;
  const waiting = () =>
    all.filter((m) => !m.verified && !m.deletedUntil && m.item?.kind === ItemKind.MEDITATION);
  /** An article that is narrated is no longer among those that are being made. */
  const isRead = (m: Made) => m.item?.kind === ItemKind.ARTICLE && m.narration?.state === NarrationState.DONE;
  const find = (id: string) => all.find((m) => m.item?.id === id) as Made;
  const begin = (m: Made) => {
    all = [m, ...all];
    return { made: m };
  };
  const narrate = (m: Made) => {
    const n = m.narration;
    if (!n || n.state === NarrationState.DONE || n.state === NarrationState.FAILED) return;
    n.state = NarrationState.NARRATING;
    n.passagesDone = Math.min(n.passagesTotal, n.passagesDone + steps);
    if (n.passagesDone < n.passagesTotal) return;
    n.state = NarrationState.DONE;
    m.audioUrl = `/media/narrations/${m.item?.id}.mp3`;
    m.audioSeconds = 42;
  };
  const fresh = (id: string, kind: ItemKind, title: string, type: string, immersive: boolean) =>
    made(id, {
      item: { kind, id },
      title,
      type: STUDIO.types.find((t) => t.id === type)?.name ?? "",
      category: category(type, STUDIO.types.find((t) => t.id === type)?.name ?? ""),
      immersive,
      narration: { state: NarrationState.WAITING, passagesDone: 0, passagesTotal: PASSAGES },
      audioUrl: "",
      audioSeconds: 0,
      createdAt: ago(0),
      slug: "on-a-gate",
    });
  router.service(StudioService, {
    getStudio: () => ({ ...STUDIO, unverified: waiting().length }),
    makeMeditation: (r) => begin(fresh(r.id, ItemKind.MEDITATION, r.title, r.type, r.immersive)),
    makeArticle: (r) => begin(fresh(r.id, ItemKind.ARTICLE, r.title, r.type, r.immersive)),
    preview: () => ({ mp3: MP3, durationMs: 4000n, narratorName: "Isla" }),
    listMade: () => {
      const answer = all.filter((m) => !m.verified && !isRead(m)).map((m) => clone(MadeSchema, m));
      for (const m of all) narrate(m);
      return { made: answer, unverified: waiting().length };
    },
    verifyMeditation: ({ id }) => {
      const m = find(id);
      m.verified = true;
      return { made: m };
    },
    deleteMeditation: ({ id }) => {
      const m = find(id);
      m.deletedUntil = ago(-24 * HOUR);
      return { made: m };
    },
    restoreMeditation: ({ id }) => {
      all = all.map((m) => (m.item?.id === id ? create(MadeSchema, { ...m, deletedUntil: undefined }) : m));
      return { made: find(id) };
    },
  });
}
