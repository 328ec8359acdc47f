import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import type { Draft } from "@/gen/serein/web/v1/drafts_pb";
import { DraftProblemKind, DraftSchema, DraftService } from "@/gen/serein/web/v1/drafts_pb";
import { failure } from "./failure";

/** Scripts from memory, for `--mode look`. */

const PASSAGES: readonly (readonly [number, ...string[]])[] = [
  [3000, "Good evening, and welcome.", "The long meeting is over, and nobody needs an answer from you now."],
  [
    2500,
    "Find a place to sit, and let whatever is holding you take your weight.",
    "It was made to carry more than this.",
  ],
  [4000, "Let the next breath come in by itself, and follow it out to its end."],
  [2000, "There is a lake here, early, with the mist still on it.", "Nothing moves on the far side."],
  [3500, "I can put this down for now."],
  [
    5000,
    "Whenever you are ready, let the lake go, and come back to the room.",
    "Keep a little of its quiet.",
  ],
];

/** What a page has made of a line. */
interface Changed {
  text?: string;
  dropped?: boolean;
  edited?: boolean;
}

function draft(id: string, changed: ReadonlyMap<number, Changed>): Draft {
  let number = 0;
  const passages = PASSAGES.map(([pause, ...lines]) => ({
    pauseMs: BigInt(pause),
    lines: lines.map((text) => {
      number++;
      return { number, text, written: text, ...changed.get(number) };
    }),
  }));
  const said = passages.flatMap(({ lines }) => lines.filter(({ dropped }) => !dropped));
  const words = said.reduce((sum, { text }) => sum + text.split(" ").length, 0);
  const short = words < 85;
  return create(DraftSchema, {
    id,
    revision: changed.size + 1,
    title: "After the long meeting",
    typeName: "Stress Relief",
    practiceName: "Secular Mindfulness",
    sizeName: "MiniMed",
    narratorName: "Isla",
    immersive: true,
    trackName: "Rain",
    cost: 1,
    passages,
    words,
    minWords: 85,
    maxWords: 110,
    rewritesLeft: 30,
    problems: short
      ? [
          {
            kind: DraftProblemKind.TOO_FEW_WORDS,
            message: `This size needs 85 words or more, and the script has ${words}. Take a line back, or say a little more somewhere.`,
          },
        ]
      : [],
  });
}

/** One script, which stays what a page has made of it. */
export function mockDrafts(router: ConnectRouter): void {
  const changed = new Map<number, Changed>();
  const now = () => ({ draft: draft("read", changed) });
  const change = (line: number, more: Changed) => {
    changed.set(line, { ...changed.get(line), ...more });
    return now();
  };
  router.service(DraftService, {
    createDraft: now,
    getDraft: ({ id }) => {
      if (id !== "read")
        throw failure(Code.NotFound, "This script isn’t here any more.", "DRAFT_NOT_FOUND", "");
      return now();
    },
    listDrafts: () => ({ drafts: changed.size > 0 ? [now().draft] : [] }),
    changeLine: ({ line, text, dropped }) => {
      if (text !== undefined && /\d/.test(text))
        throw failure(
          Code.InvalidArgument,
          "A narrator can’t say this. Please use plain words, without digits, brackets or capitals throughout.",
          "DRAFT_LINE_UNSPEAKABLE",
          "text",
        );
      return change(line, {
        ...(text !== undefined && { text, edited: true }),
        ...(dropped !== undefined && { dropped }),
      });
    },
    rewriteLine: ({ line }) =>
      change(line, { text: "Being tired is welcome here, and so is being wide awake." }),
    deleteDraft: () => {
      changed.clear();
      return {};
    },
  });
}
