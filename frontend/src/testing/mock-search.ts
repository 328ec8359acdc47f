import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { SearchService } from "@/gen/serein/web/v1/search_pb";

/** The site's search from memory. */

const CATEGORIES = [
  "Better Sleep",
  "Stress Relief",
  "Anxiety Relief",
  "Mindfulness",
  "Gratitude",
  "Resilience",
  "Compassion",
  "Loving Kindness",
  "Relationships",
  "Focus and Concentration",
  "Anger",
  "Trauma",
].map((name) => ({ id: name.toLowerCase().replaceAll(" ", "-"), name, count: 3 }));

/** Kind, title, category, text. A result quotes the text only if the searched word occurs in it. */
const ITEMS = [
  [ItemKind.BESPOKE, "Rain on the studio roof", "Stress Relief", "The rain began an hour before you did."],
  [
    ItemKind.ARTICLE,
    "What the breath knows first",
    "Anxiety Relief",
    "It comes and goes like rain at a window.",
  ],
  [
    ItemKind.ARTICLE,
    "Lights in other windows",
    "Loving Kindness",
    "Somebody is up, in the rain, as you are.",
  ],
  [ItemKind.MEDITATION, "The lake after rain", "Better Sleep", "The lake is quiet."],
  [ItemKind.MEDITATION, "Serein", "Stress Relief", "A fine rain, from nowhere at all."],
  [ItemKind.MEDITATION, "When the weather breaks", "Anger", "Let it rain as long as it needs."],
  [ItemKind.MEDITATION, "What the field gave", "Gratitude", "The rain that you complained of in May."],
] as const;

const pieces = (text: string, word: string) => {
  const at = word ? text.toLowerCase().indexOf(word.toLowerCase()) : -1;
  if (at < 0) return [{ text, matched: false }];
  const end = at + word.length;
  return [
    { text: text.slice(0, at), matched: false },
    { text: text.slice(at, end), matched: true },
    { text: text.slice(end), matched: false },
  ].filter((piece) => piece.text !== "");
};

export function mockSearch(router: ConnectRouter): void {
  router.rpc(SearchService.method.search, ({ text, category }) => {
    if (text === "away") throw new ConnectError("no route", Code.Unavailable);
    const filed = CATEGORIES.find(({ id }) => id === category)?.name;
    const found = ITEMS.filter(
      ([, title, name, body]) =>
        (text || filed) &&
        (!filed || name === filed) &&
        `${title} ${body}`.toLowerCase().includes(text.toLowerCase()),
    );
    const groups = [ItemKind.BESPOKE, ItemKind.ARTICLE, ItemKind.MEDITATION].map((kind) => {
      const ofKind = found.filter(([one]) => one === kind);
      return {
        kind,
        total: ofKind.length,
        matches: ofKind.map(([, title, name, body]) => ({
          item: { kind, id: title },
          slug: title.toLowerCase().replaceAll(" ", "-"),
          category: { id: name.toLowerCase().replaceAll(" ", "-"), name, confidence: 100 },
          title: pieces(title, text),
          excerpt: pieces(body, text),
          immersive: kind === ItemKind.MEDITATION,
          audioSeconds: 492,
        })),
      };
    });
    return { groups, categories: CATEGORIES };
  });
}
