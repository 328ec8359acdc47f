import { useInfiniteQuery } from "@connectrpc/connect-query";
import { foundByPages } from "@/data/query";
import { ArticlesService } from "@/gen/serein/web/v1/articles_pb";

/** The articles of a category that match a search, the newest first, page by page. */
export function useArticles(category: string, search: string) {
  const query = useInfiniteQuery(
    ArticlesService.method.listArticles,
    { category, search, pageToken: "" },
    foundByPages,
  );
  const pages = query.data?.pages;
  return {
    ...query,
    articles: pages?.flatMap((page) => page.articles),
    categories: pages?.at(0)?.categories ?? [],
    head: pages?.at(0),
  };
}
