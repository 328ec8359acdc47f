import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { JourneyService, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { ListSavedResponseSchema, SavedKind } from "@/gen/serein/web/v1/generator_pb";
import { StandingSchema } from "@/gen/serein/web/v1/items_pb";
import { CARDS } from "./content";
import { savedOfLibrary } from "./mock-library";

/** My Journey from memory. */

const scene = () => new URLSearchParams(window.location.search).get("scene") ?? "";

const has =
  (search: string) =>
  ({ title }: { title: string }) =>
    title.toLowerCase().includes(search.toLowerCase());

const standing = create(StandingSchema, { likes: 48, saved: true });
const articles = () => CARDS.slice(0, 4).map((card) => ({ ...card, standing }));

/** What the member has saved of a kind. */
function saved(kind: SavedKind, search: string) {
  if (scene() === "empty") return { meditations: [], articles: [] };
  const isArticle = kind === SavedKind.ARTICLE;
  return {
    meditations: isArticle ? [] : savedOfLibrary(kind === SavedKind.INTRODUCTION).filter(has(search)),
    articles: isArticle ? articles().filter(has(search)) : [],
  };
}

async function beAsked(): Promise<void> {
  if (scene() === "away") throw new ConnectError("no route", Code.Unavailable);
  if (scene() === "slow") await new Promise(() => {});
}

/** `made` are the member's own. */
export const journey = (made: () => Meditation[]): Partial<ServiceImpl<typeof JourneyService>> => ({
  getJourney: async ({ search }) => {
    await beAsked();
    const of = (kind: SavedKind) => Object.values(saved(kind, search)).flat().length;
    return {
      introductions: of(SavedKind.INTRODUCTION),
      bespoke: scene() === "empty" ? 0 : made().filter(has(search)).length,
      library: of(SavedKind.LIBRARY),
      articles: of(SavedKind.ARTICLE),
    };
  },
  listSaved: async ({ kind, search }) => {
    await beAsked();
    const found = saved(kind, search);
    return create(ListSavedResponseSchema, { ...found, total: Object.values(found).flat().length });
  },
  listBespoke: async ({ pageToken, search }) => {
    await beAsked();
    if (scene() === "empty") return { meditations: [], total: 0 };
    const all = made().filter(has(search));
    if (scene() !== "pages") return { meditations: all, total: all.length };
    if (!pageToken) return { meditations: all.slice(0, 3), total: all.length, nextPageToken: "2" };
    return { meditations: all.slice(3), total: all.length };
  },
});
