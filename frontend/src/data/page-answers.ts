import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { ArticlesService } from "@/gen/serein/web/v1/articles_pb";
import { LibraryService } from "@/gen/serein/web/v1/library_pb";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { paths } from "@/lib/paths";
import type { Data } from "@/lib/app";
import { LIBRARY_FIRST_PAGE } from "./library-page";

/** What the pages are made of that the gateway fills: one answer each, which stands in the page beside its markup. */
interface PageAnswer {
  method: DescMethodUnary;
  /** The question in JSON, each field a text, by the parts that the address names and by its filter. The gateway asks the same. */
  request: (params: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** The answer is the first page of a list. */
  list?: true;
}

const text = (name: string): PageAnswer => ({
  method: PagesService.method.getText,
  request: () => ({ name }),
});

/** By the path of the route. */
export const PAGE_ANSWERS: Readonly<Record<string, PageAnswer>> = {
  [paths.home]: { method: PagesService.method.getHome, request: () => ({}) },
  [paths.articles]: {
    method: ArticlesService.method.listArticles,
    request: ({ category = "" }): Record<string, string> => (category ? { category } : {}),
    list: true,
  },
  [paths.article(":slug")]: {
    method: ArticlesService.method.getArticle,
    request: ({ slug = "" }) => ({ slug }),
  },
  [paths.memberships]: { method: ShopService.method.getMemberships, request: () => ({}) },
  [paths.apparel]: { method: ShopService.method.getApparel, request: () => ({}) },
  [paths.library]: {
    method: LibraryService.method.listMeditations,
    request: () => ({ sound: "SOUND_IMMERSIVE", pageSize: String(LIBRARY_FIRST_PAGE) }),
    list: true,
  },
  [paths.about]: text("about"),
  [paths.terms]: text("terms"),
  [paths.privacy]: text("privacy"),
  [paths.sitemap]: { method: PagesService.method.getSitemap, request: () => ({}) },
};

/** Puts a page's answer into the query cache under the screen's key. `asked` is the time of the read (ms); 0 makes the screen refetch at once. */
export function keepAnswer(
  { transport, queryClient }: Pick<Data, "transport" | "queryClient">,
  { method, request, list }: PageAnswer,
  params: Readonly<Record<string, string>>,
  answer: MessageShape<DescMessage>,
  asked: number,
): void {
  const input = fromJson(method.input, request(params));
  const options = { updatedAt: asked };
  if (!list) {
    const key = createConnectQueryKey({ schema: method, transport, input, cardinality: "finite" });
    queryClient.setQueryData(key, answer, options);
    return;
  }
  const key = createConnectQueryKey({
    schema: method,
    transport,
    input: { ...input, pageToken: "" },
    cardinality: "infinite",
    pageParamKey: "pageToken" as never,
  });
  queryClient.setQueryData(key, { pages: [answer], pageParams: [""] } as never, options);
}

/** Reads the answer that the gateway has written into the page; false if the page holds no readable answer. */
export function takePageAnswer(
  data: Data,
  path: string,
  params: Readonly<Record<string, string>>,
  source: string,
): boolean {
  const page = PAGE_ANSWERS[path];
  if (!page) return false;
  try {
    const { own, answer } = JSON.parse(source);
    const message = fromJson(page.method.output, answer, { ignoreUnknownFields: true });
    // A member's own likes and rights are asked for where the page could not bring them.
    const asked = data.session.get().member && !own ? 0 : Date.now();
    keepAnswer(data, page, params, message, asked);
    return true;
  } catch {
    return false;
  }
}
