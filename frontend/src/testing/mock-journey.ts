import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { JourneyService, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { ListSavedResponseSchema, SavedKind, Stage } from "@/gen/serein/web/v1/generator_pb";
import { StandingSchema } from "@/gen/serein/web/v1/items_pb";
import { CARDS } from "./content";
import { failure } from "./failure";
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

const KEPT_MS = 1_209_600_000;

/** `made` are the member's own. */
export function journey(made: () => Meditation[]): Partial<ServiceImpl<typeof JourneyService>> {
  const active = () => made().filter(({ deletesAt }) => !deletesAt);
  const marked = () => made().filter(({ deletesAt }) => deletesAt);
  const find = (id: string) => {
    const found = made().find((m) => m.id === id);
    if (!found) throw failure(Code.NotFound, "We can’t find that meditation.", "MEDITATION_NOT_FOUND", "");
    return found;
  };
  return {
    ...reads(active, marked),
    markBespokeDeleted: ({ id }) => {
      const meditation = find(id);
      meditation.deletesAt = timestampFromMs(Date.now() + KEPT_MS);
      return { meditation };
    },
    recoverBespoke: ({ id }) => {
      const meditation = find(id);
      meditation.deletesAt = undefined;
      return { meditation };
    },
    renameBespoke: ({ id, title }) => {
      if (title === "damn")
        throw failure(Code.InvalidArgument, "Title must not contain profanities", "TITLE_PROFANE", "title");
      const meditation = find(id);
      meditation.title = title;
      return { meditation };
    },
  };
}

const reads = (
  active: () => Meditation[],
  marked: () => Meditation[],
): Partial<ServiceImpl<typeof JourneyService>> => ({
  getJourney: async ({ search }) => {
    await beAsked();
    const of = (kind: SavedKind) => Object.values(saved(kind, search)).flat().length;
    return {
      introductions: of(SavedKind.INTRODUCTION),
      bespoke:
        scene() === "empty"
          ? 0
          : active()
              .filter(({ stage }) => stage === Stage.READY)
              .filter(has(search)).length,
      library: of(SavedKind.LIBRARY),
      articles: of(SavedKind.ARTICLE),
      deleted: scene() === "empty" ? 0 : marked().filter(has(search)).length,
    };
  },
  listSaved: async ({ kind, search }) => {
    await beAsked();
    const found = saved(kind, search);
    return create(ListSavedResponseSchema, { ...found, total: Object.values(found).flat().length });
  },
  listBespoke: async ({ pageToken, search, deleted }) => {
    await beAsked();
    if (scene() === "empty") return { meditations: [], total: 0 };
    const all = (deleted ? marked() : active()).filter(has(search));
    if (scene() !== "pages") return { meditations: all, total: all.length };
    if (!pageToken) return { meditations: all.slice(0, 3), total: all.length, nextPageToken: "2" };
    return { meditations: all.slice(3), total: all.length };
  },
});
