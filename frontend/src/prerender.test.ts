import { expect, test } from "vitest";
import { ROUTES } from "@/app/routes";
import { TEXTS } from "@/copy/texts";
import { frameMarkup, manifest, pageMarkup } from "./prerender";

test("the gateway's list has every page of the app, with its access, and the versions of the texts", () => {
  expect(manifest.pages.map(({ path, access }) => [path, access])).toEqual(
    ROUTES.map(({ path, access }) => [path, access]),
  );
  expect(manifest.pages.find(({ path }) => path === "/journey")).toEqual({
    path: "/journey",
    access: "member",
    title: "My Journey · Serein",
  });
  expect(manifest.pages.find(({ path }) => path === "/signup/confirm")?.html).toBe("prerendered/home.html");
  expect(manifest.texts).toEqual(TEXTS);
});

test("paths are what the gateway can read: words, :name and a last :name?", () => {
  for (const { path } of manifest.pages) expect(path).toMatch(/^\/$|^(\/[\w-]+)+(\/:\w+)*(\/:\w+\?)?$/);
});

test("home is written with its veil and its words, for a visitor", async () => {
  const html = await pageMarkup("/");
  for (const words of ["Click to enter", "Quiet, made", "Start your free trial", "Sign in", "Crafted Calm"])
    expect(html).toContain(words);
});

test("what only a browser knows is not in the markup: prints, the day, and style attributes", async () => {
  const html = await pageMarkup("/");
  expect(html).not.toMatch(/style="|<script|Quote of the Day<\/b><time/);
  expect(html.length).toBeLessThan(20_000);
});

test("the frame has bar and footer and no page", async () => {
  const html = await frameMarkup();
  expect(html).toContain("Skip to content");
  expect(html).toContain("Crafted Calm");
  expect(html).not.toContain("aria-current");
});
