import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GetArticleResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import { ListMeditationsResponseSchema } from "@/gen/serein/web/v1/library_pb";
import { GetSitemapResponseSchema } from "@/gen/serein/web/v1/pages_pb";
import type { Shown } from "@/lib/template";
import { and, field, has, made, none, not, ofFirst, or, size, some } from "@/lib/template";
import { either, less, within } from "@/lib/template-choice";
import { equals } from "@/lib/template-equals";
import { minutesOf } from "@/lib/format";
import { templateOf } from "./template-writer";

const article = templateOf(GetArticleResponseSchema);
const card = (article.answer as ReturnType<typeof create<typeof GetArticleResponseSchema>>).card;
const library = templateOf(ListMeditationsResponseSchema);
const list = library.answer as ReturnType<typeof create<typeof ListMeditationsResponseSchema>>;

const inArticle = ({ at }: Shown<unknown>): string => article.withActions(article.writer.write(at));
const inLibrary = ({ at }: Shown<unknown>): string => library.withActions(library.writer.write(at));

test("a field is its path in the contract, and what is made of it is a call", () => {
  expect(inArticle(field(card, "audioSeconds", 0))).toBe("{{.Card.AudioSeconds}}");
  expect(inArticle(made(minutesOf, field(card, "words", 0)))).toBe("{{minutes .Card.Words}}");
  expect(inArticle(ofFirst(card?.categories ?? [], "name"))).toBe(
    "{{with .Card.Categories}}{{(index . 0).Name}}{{end}}",
  );
  expect(inArticle(within(card?.picture, "alt"))).toBe("{{with .Card.Picture}}{{.Alt}}{{end}}");
  expect(article.withActions(card?.title ?? "")).toBe("{{.Card.Title}}");
});

test("conditions are the template's own, with brackets around what is a call itself", () => {
  const found = some(list.meditations);
  expect(inLibrary(not(and(found, has(list, "all"))))).toBe("{{not (and .Meditations .All)}}");
  expect(inLibrary(or(not(found), less(size(list.meditations), field(list, "all"))))).toBe(
    "{{or (not .Meditations) (lt (len .Meditations) .All)}}",
  );
  expect(inLibrary(either(has(list, "nextPageToken"), field(list, "total"), "none"))).toBe(
    "{{if .NextPageToken}}{{.Total}}{{else}}none{{end}}",
  );
  expect(() => inLibrary(either(found, "a < b", ""))).toThrow("would have to be escaped");
});

test("in a list within a list a field is named from the inner element, and no other can be named there", () => {
  const { answer, writer, withActions } = templateOf(GetSitemapResponseSchema);
  const { groups } = answer as ReturnType<typeof create<typeof GetSitemapResponseSchema>>;
  const [group] = groups;
  const pages = group?.pages ?? [];
  const inside = (text: string) =>
    writer.range(groups, 0, undefined) +
    writer.range(pages, 1, undefined) +
    text +
    writer.end() +
    writer.end();
  expect(withActions(inside(pages[0]?.title ?? ""))).toBe(
    "{{range .Groups}}{{range slice .Pages 1}}{{.Title}}{{end}}{{end}}",
  );
  expect(() => withActions(inside(group?.title ?? ""))).toThrow(
    ".Groups[].Title of the answer cannot be named",
  );
  expect(() => withActions(pages[0]?.title ?? "")).toThrow("cannot be named at the answer itself");
});

test("what is no part of the answer, and what the gateway cannot compute, is not written", () => {
  expect(() => inArticle(has(list, "all"))).toThrow("no part of its page's answer");
  const twice = (n: number) => 2 * n;
  expect(() => inArticle(made(twice, field(card, "words", 0)))).toThrow("the gateway has no twin");
});

test("in the app each is the plain value", () => {
  const empty = create(ListMeditationsResponseSchema, { all: 3 });
  expect([has(empty, "all").is, has(empty, "total").is, has(empty, "meditations").is]).toEqual([
    true,
    false,
    false,
  ]);
  expect([some(undefined).is, none(undefined).is, none([]).is, some([1]).is]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(equals(empty, "all", 3).is).toBe(true);
  expect(either(has(empty, "total"), "some", field(empty, "all")).is).toBe(3);
  expect([within(undefined, "name" as never).is, ofFirst([], "name" as never).is]).toEqual(["", ""]);
});

test("the compiler knows each field and its type", () => {
  const empty = create(ListMeditationsResponseSchema);
  // @ts-expect-error no field of the answer
  expect(has(empty, "everything").is).toBe(false);
  // @ts-expect-error a text, of which no minutes are made
  expect(made(minutesOf, field(empty, "nextPageToken")).is).toBe(1);
  // @ts-expect-error a message that may be left out, without what it is then
  expect(field(card, "words").is).toBe(1);
});
