import { ownedDraft } from "@/lib/owned-draft";

const KEPT = 3;

/** What a member searched for and then opened something of: for this tab, and for them alone. */
const DRAFT = ownedDraft<{ texts: string[] }>(
  "serein-searches",
  ({ texts }) => Array.isArray(texts) && texts.every((text) => typeof text === "string"),
);

export const recentOf = (uid: string | undefined): readonly string[] => DRAFT.read(uid)?.texts ?? [];

export function keepRecent(uid: string | undefined, text: string): void {
  if (!text) return;
  const others = recentOf(uid).filter((one) => one.toLowerCase() !== text.toLowerCase());
  DRAFT.keep({ texts: [text, ...others].slice(0, KEPT) }, uid);
}
