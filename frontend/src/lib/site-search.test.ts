import { expect, test } from "vitest";
import { SearchRequestRules } from "@/gen/serein/web/v1/search_rules";
import { searchAt, withSearch } from "./site-search";

const articles = { pathname: "/articles", search: "?search=frost&page=2", hash: "#list" };
const rain = { text: "rain & wind", tab: "", category: "" };

test("an address without the search has it closed, and one with an empty text has it open", () => {
  expect(searchAt("?search=frost")).toBeNull();
  expect(searchAt("?find=")).toEqual({ text: "", tab: "", category: "" });
  expect(searchAt("?find=rain&find-in=articles&find-category=sleep")).toEqual({
    text: "rain",
    tab: "articles",
    category: "sleep",
  });
});

test("a text that is longer than the server takes is cut, however it came into the address", () => {
  const most = SearchRequestRules.text.maxLen;
  expect(searchAt(`?find=${"a".repeat(most + 1)}`)?.text).toHaveLength(most);
});

test("the search lies over its page, whose own address stays as it is", () => {
  const open = withSearch(articles, rain);
  expect(open).toBe("/articles?search=frost&page=2&find=rain+%26+wind#list");
  const query = open.slice(open.indexOf("?"), open.indexOf("#"));
  expect(searchAt(query)).toEqual(rain);
  expect(withSearch({ ...articles, search: query }, null)).toBe("/articles?search=frost&page=2#list");
});

test("another search takes the place of the whole one before", () => {
  const before = { ...articles, search: "?find=rain&find-in=articles&find-category=sleep", hash: "" };
  expect(withSearch(before, { text: "frost", tab: "library", category: "" })).toBe(
    "/articles?find=frost&find-in=library",
  );
  expect(withSearch(before, null)).toBe("/articles");
});
