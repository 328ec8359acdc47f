import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { ArticlesService, ListArticlesResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import { HomeService } from "@/gen/serein/web/v1/home_pb";
import { ItemService } from "@/gen/serein/web/v1/items_pb";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { booted } from "./booted";
import { article, CARDS, homePage } from "./content";
import { failure } from "./failure";
import { suggestedOfLibrary } from "./mock-library";

/** Articles, Home and the texts from memory. */

const scene = () => new URLSearchParams(window.location.search).get("scene") ?? "";

const categories = [...new Set(CARDS.map((card) => card.categories[0]?.name ?? ""))].map((name) => ({
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  count: 1,
}));

const TEXT = `<h2>Who may use Serein</h2><p>Serein is for people aged 16 and over. By creating an account you confirm that you are.</p>
<h2>What you pay</h2><p>Prices are shown before you pay, and a membership can be ended as easily as it was begun.</p><ul><li>A trial needs no card.</li><li>Nothing renews without a word.</li></ul>`;

export function mockContent(router: ConnectRouter): void {
  router.service(ArticlesService, {
    listArticles: ({ category, search }) => {
      if (scene() === "away") throw new ConnectError("no route", Code.Unavailable);
      const articles = CARDS.filter(
        (card) =>
          (!category || card.categories.some(({ id }) => id === category)) &&
          card.title.toLowerCase().includes(search.toLowerCase()),
      );
      return create(ListArticlesResponseSchema, { articles, categories, total: articles.length });
    },
    getArticle: ({ slug }) => {
      const card = CARDS.find((one) => one.slug === slug);
      if (!card) throw failure(Code.NotFound, "There is nothing here.", "ITEM_NOT_FOUND", "");
      return article(card, card.open || booted()?.member !== undefined);
    },
  });
  router.service(PagesService, {
    getHome: () => homePage(),
    getText: ({ name }) => ({
      title: { about: "About", terms: "Terms and conditions", privacy: "Privacy" }[name] ?? "",
      description: "These are the rules between you and Serein. We have kept them short.",
      html: TEXT,
      version: name === "about" ? "" : "2026-11-21",
    }),
    getSitemap: () => ({
      groups: ["Explore", "Yours", "Serein"].map((title) => ({
        title,
        pages: [
          { title: "Home", path: "/", priority: 1 },
          { title: "My Journey", path: "/journey", priority: 0.7, protected: true },
          { title: "AI Chat", path: "", priority: 0.4, protected: true },
        ],
      })),
    }),
  });
  router.service(HomeService, {
    // Suggested as the plan of the page's member opens it.
    getMemberHome: () =>
      booted()?.member?.plan?.entitlements?.includes("library")
        ? suggestedOfLibrary()
        : { title: "A calm start" },
  });
  router.service(ItemService, {
    setLike: ({ liked }) => ({ standing: { likes: liked ? 49 : 48, liked, saved: false } }),
    setSaved: ({ saved }) => ({ standing: { likes: 48, liked: false, saved }, changed: true }),
  });
}
