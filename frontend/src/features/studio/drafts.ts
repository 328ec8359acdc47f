import { ownedDraft } from "@/lib/owned-draft";
import type { Answers, Kind } from "./model";

/** What stands on a generator, and what was made of it last. */
export interface Draft {
  answers: Answers;
  /** Of the item that is being narrated, or just was; "" while none was made. */
  madeId: string;
}

const isSound = ({ answers, madeId }: Partial<Draft>): boolean =>
  typeof madeId === "string" &&
  ["title", "type", "practice", "script", "narratorId"].every(
    (name) => typeof answers?.[name as keyof Answers] === "string",
  );

const DRAFTS = {
  meditation: ownedDraft<Draft>("serein-studio-meditation", isSound),
  article: ownedDraft<Draft>("serein-studio-article", isSound),
};

export const draftOf = (kind: Kind) => DRAFTS[kind];
