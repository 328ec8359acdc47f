import { fromJson } from "@bufbuild/protobuf";
import { ArticlesService } from "@/gen/serein/web/v1/articles_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { LibraryService } from "@/gen/serein/web/v1/library_pb";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { paths } from "@/lib/paths";
import type { Data } from "@/lib/app";
import type { PageAnswer } from "./keep-answer";
import { keepAnswer } from "./keep-answer";
import { LIBRARY_FIRST_PAGE } from "./library-page";

/** What the pages are made of that the gateway fills: one answer each, which stands in the page beside its markup. */

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
  [paths.courses]: { method: CoursesService.method.listCourses, request: () => ({}) },
  [paths.course(":course")]: {
    method: CoursesService.method.getCourse,
    request: ({ course = "" }) => ({ slug: course }),
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
