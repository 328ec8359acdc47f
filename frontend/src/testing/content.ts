import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { GetArticleResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import type { ArticleCard } from "@/gen/serein/web/v1/items_pb";
import { ArticleCardSchema } from "@/gen/serein/web/v1/items_pb";
import { GetHomeResponseSchema } from "@/gen/serein/web/v1/pages_pb";

/** Content as tests and `npm run look` see it. */

type Facts = Partial<Omit<ArticleCard, "$typeName" | "$unknown">>;

export const articleCard = (slug: string, title: string, category: string, more: Facts = {}): ArticleCard =>
  create(ArticleCardSchema, {
    id: `0193f2c0-${slug}`,
    slug,
    title,
    description: "Before a worry has words it has a rhythm. Four ways to hear it early, and answer kindly.",
    preview:
      "Before a worry has words it has a rhythm. Four ways to hear it early, and to answer kindly, with a hand on the ribs and…",
    categories: [{ id: category.toLowerCase().replaceAll(" ", "-"), name: category, confidence: 100 }],
    open: true,
    publishedAt: timestampFromMs(Date.UTC(2026, 10, 3)),
    audioSeconds: 540,
    words: 1400,
    standing: { likes: 48, liked: false, saved: false },
    ...more,
  });

export const CARDS: readonly ArticleCard[] = [
  articleCard("rest-is-not-a-reward", "Rest is not a reward", "Better Sleep", { open: false, words: 1200 }),
  articleCard("what-the-breath-knows-first", "What the breath knows first", "Anxiety Relief", {
    standing: { $typeName: "serein.web.v1.Standing", likes: 49, liked: true, saved: true },
  }),
  articleCard("a-small-theory-of-thank-you", "A small theory of thank you", "Gratitude", { audioSeconds: 0 }),
  articleCard("the-kind-pause", "The kind pause", "Relationships", { words: 800 }),
  articleCard("one-stone-at-a-time", "One stone at a time", "Focus and Concentration"),
  articleCard("nobody-can-see-you-counting", "Nobody can see you counting", "Anger", { open: false }),
  articleCard("lights-in-other-windows", "Lights in other windows", "Loving Kindness"),
];

const PARAGRAPH =
  "<p>There is a moment, just before we would say that we are anxious, when the body has already said so. The breath climbs a little higher in the chest. It becomes quick at the top and short at the bottom, like someone listening at a door.</p>";

export const article = (card: ArticleCard, whole: boolean) =>
  create(GetArticleResponseSchema, {
    card,
    openingHtml: PARAGRAPH + PARAGRAPH,
    restHtml: whole
      ? `<h2>Listen for the edge</h2>${PARAGRAPH}<blockquote><p>Things that are seen tend to soften in their own time.</p></blockquote>${PARAGRAPH}<ul><li>a hand on the ribs</li><li>a shoulder let down</li></ul>`
      : "",
    whole,
    audioUrl: whole && card.audioSeconds > 0 ? "/media/narrations/breath.mp3" : "",
    narratorName: "Iona",
  });

const item = (title: string, category: string, immersive: boolean) => ({
  title,
  immersive,
  meditation: { id: title, title, immersive, audioSeconds: 480, category: { id: category, name: category } },
});

export const homePage = () =>
  create(GetHomeResponseSchema, {
    missionTitle: "Ten quiet minutes should be easy to find, in words that fit, on an ordinary day.",
    missionDescription:
      "Serein writes a meditation for the moment you are in. Beside it stand a library to browse, short articles for restless evenings, and a shelf of your own.",
    immersive: [
      item("The lake after rain", "Better Sleep", true),
      item("Bend, and stay", "Resilience", true),
    ],
    voice: item("One stone at a time", "Focus and Concentration", false),
    articles: CARDS.slice(1, 3),
    quote: "You do not have to finish the day. You may simply set it down.",
  });
