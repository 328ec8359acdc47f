import type { Message } from "@bufbuild/protobuf";
import { isMessage } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { accessInManifest } from "@/app/access";
import { App } from "@/app/App";
import { Providers } from "@/app/Providers";
import type { AppRoute } from "@/app/routes";
import { NOT_FOUND, ROUTES, writtenRoute } from "@/app/routes";
import { Shell } from "@/app/Shell";
import { account } from "@/copy/account";
import { articles } from "@/copy/articles";
import { contact } from "@/copy/contact";
import { courses } from "@/copy/courses";
import { descriptions } from "@/copy/descriptions";
import { library } from "@/copy/library";
import { shell } from "@/copy/shell";
import { text } from "@/copy/text";
import type { Data } from "@/lib/app";
import { createData } from "@/data/data";
import { keepAnswer } from "@/data/keep-answer";
import { PAGE_ANSWERS } from "@/data/page-answers";
import { GetArticleResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import { GetCourseResponseSchema } from "@/gen/serein/web/v1/courses_pb";
import { JOURNEY_ANSWERS } from "@/features/journey/answers";
import { paths } from "@/lib/paths";
import { ShownLocation } from "@/lib/router";
import { createSession } from "@/lib/session";
import { createStore } from "@/lib/store";
import type { Writer } from "@/lib/template";
import { TemplateWriting } from "@/lib/template";
import { fullTitle } from "@/lib/title";
import { PageLoader } from "@/ui/PageLoader";
import type { Values } from "./stand-in";
import { templateOf } from "./template-writer";

/** What the build needs of the app: its pages, and their markup for a visitor. Run by scripts/pages.mjs, in Node. */

const NAMES: Readonly<Record<string, string>> = { [paths.home]: "home", [NOT_FOUND.path]: "not-found" };

const fileOf = (path: string, filter = ""): string => {
  const name = NAMES[path] ?? path.slice(1).replaceAll(":", "").replaceAll("/", "-");
  return `prerendered/${filter ? `${name}-by-${filter}` : name}.html`;
};

/** What the gateway asks for to fill a page: a parameter of the address where a value begins with a colon. */
function questionOf(route: AppRoute) {
  const page = route.prerender === "template" ? PAGE_ANSWERS[route.path] : undefined;
  if (!page) return undefined;
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, `:${name}`]);
  const { filter } = route;
  return {
    rpc: page.method.name,
    request: page.request(Object.fromEntries(names)),
    query: route.query,
    ...(filter && { filter: { name: filter, html: fileOf(route.path, filter) } }),
  };
}

/** What a member's own page begins with, by its path: the gateway writes the answers into it. */
const FIRST_ANSWERS: Readonly<Record<string, readonly { rpc: string; request: object }[]>> = {
  [paths.journey]: JOURNEY_ANSWERS.map(({ method, request }) => ({ rpc: method.name, request: request({}) })),
};

/** What search engines show of pages that no answer describes. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [paths.generator]: descriptions.generator,
  [paths.signUp]: descriptions.signUp,
  [paths.confirm]: descriptions.confirm,
  [paths.basket]: descriptions.basket,
  [paths.checkout]: descriptions.checkout,
  [paths.articles]: articles.lead,
  [paths.contact]: contact.lead,
  [paths.courses]: courses.lead,
  [paths.signIn]: account.door.text,
  [paths.timer]: descriptions.timer,
  [paths.library]: library.lead,
  [paths.sitemap]: text.sitemap.lead,
};

/** The module of a page, as Vite's manifest names it. */
const moduleOf = ({ load }: AppRoute): string =>
  `src/routes/${/chunks\/([\w-]+)\.js/.exec(load.toString())?.[1] ?? ""}.tsx`;

/** Whether the build writes how a page begins, and its address can ask for another page, which only the app can show. */
const beginsInTwoWays = ({ prerender: how, query }: AppRoute): boolean =>
  how === "itself" && query.length > 0;

/**
 * The pages that only the app can show, and that read: each is a document of the frame which names the page's chunks, so that
 * the browser fetches them beside the app and not after it.
 */
export const framed = ROUTES.filter(
  (route) => route.data && !route.debug && (!route.prerender || beginsInTwoWays(route)),
).map((route) => ({
  path: route.path,
  file: fileOf(route.path, route.prerender ? "query" : ""),
  title: fullTitle(route.title),
  module: moduleOf(route),
}));

const frameFile = (path: string): string | undefined => framed.find((page) => page.path === path)?.file;

/** The gateway's list of pages (dist/pages.json). */
export const manifest = {
  pages: ROUTES.map(({ path, access, title, debug }) => {
    const from = writtenRoute(path);
    const template = from && questionOf(from);
    const html = from ? fileOf(from.path) : frameFile(path);
    const begun = from?.path === path && beginsInTwoWays(from) ? from : undefined;
    return {
      path,
      ...accessInManifest(access),
      title: fullTitle(title),
      ...(html && { html }),
      ...(template && { template }),
      ...(begun && { variant: { query: begun.query, html: frameFile(path) } }),
      ...(FIRST_ANSWERS[path] && { answers: FIRST_ANSWERS[path] }),
      ...(debug && { debug }),
      // Everybody who has its address may see it: the gateway keeps that out of other pages and of search engines.
      ...(path.includes(":token") && { secret: true }),
      ...(DESCRIPTIONS[path] && { description: DESCRIPTIONS[path] }),
    };
  }),
  notFound: fileOf(NOT_FOUND.path),
};

/** The pages whose markup is written, and the module each is made of, as Vite's manifest names it. */
export const written = [...ROUTES, NOT_FOUND]
  .filter(({ prerender: how }) => how === "itself" || how === "template")
  .flatMap((route) =>
    route.filter
      ? [
          { route, filter: "" },
          { route, filter: route.filter },
        ]
      : [{ route, filter: "" }],
  )
  .map(({ route, filter }) => ({
    path: route.path,
    /** The filter of the address that this one is written for; "" for none. */
    filter,
    file: fileOf(route.path, filter),
    title: fullTitle(route.title),
    description: DESCRIPTIONS[route.path],
    /** Filled by the gateway, and with it everything that is made of the answer. */
    template: route.prerender === "template",
    data: route.data,
    module: moduleOf(route),
  }));

const never = () => new Promise<never>(() => undefined);

interface Writing {
  /** The gateway's side of the app, for pages that read. */
  data?: Data;
  /** Writes what they show of its answers as a template's actions; without it they begin without any. */
  writer?: Writer;
}

async function markup(path: string, content: ReactNode, { data, writer }: Writing = {}): Promise<string> {
  const app = {
    data: data ? () => Promise.resolve(data) : never,
    dataToRender: data ? () => data : never,
    known: never(),
    signOut: never,
    mini: createStore<ReactNode>(null),
  };
  const { prelude } = await prerender(
    <StrictMode>
      <TemplateWriting value={writer ?? null}>
        <Providers app={app} session={createSession()}>
          <Router ssrPath={path}>{content}</Router>
        </Providers>
      </TemplateWriting>
    </StrictMode>,
    // In one piece: pieces would be put together by inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

/** A page as a visitor sees it first. */
export const pageMarkup = (path: string): Promise<string> =>
  markup(path, <App />, { data: createData(createSession()) });

/** The fields of an answer that stand in its page's address: as actions they stay what they are in every address. */
function paramsOf(answer: Message): Readonly<Record<string, string>> {
  if (isMessage(answer, GetArticleResponseSchema)) return { slug: answer.card?.slug ?? "" };
  return isMessage(answer, GetCourseResponseSchema) ? { course: answer.card?.slug ?? "" } : {};
}

/** A page as a template, by one of its filters where that is named: it shows an answer whose texts stand for its fields. */
export async function pageTemplate(path: string, values?: Values, filter = ""): Promise<string> {
  const page = PAGE_ANSWERS[path];
  if (!page) throw new Error(`${path} is filled, and PAGE_ANSWERS says by what`);
  const data = createData(createSession());
  const { answer, writer, chosen, withActions } = templateOf(page.method.output, values);
  const params = paramsOf(answer);
  keepAnswer(data, page, filter ? { ...params, [filter]: chosen } : params, answer, Date.now());
  const at = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? "");
  const address = filter ? `${at}?${filter}=${chosen}` : at;
  const html = await markup(address, <App />, { data, writer });
  if (html.includes("{{")) throw new Error(`the markup of ${path} would be taken for a template's action`);
  return withActions(html);
}

/** The frame alone, for pages that only the app can show. */
export const frameMarkup = (): Promise<string> =>
  markup(
    "/",
    <ShownLocation value={{ pathname: "", search: "", hash: "", state: null }}>
      <Shell alone={false}>
        <PageLoader label={shell.loading} />
      </Shell>
    </ShownLocation>,
  );
