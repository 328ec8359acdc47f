import type { ReactNode } from "react";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { mockContent } from "@/testing/mock-content";
import { axeFaults, show } from "@/testing/page";
import { AboutPage } from "./AboutPage";
import { SitemapPage } from "./SitemapPage";
import { TextPage } from "./TextPage";

const open = (page: ReactNode, path: string, more: (router: ConnectRouter) => void = () => {}) =>
  show(<main>{page}</main>, {
    member: null,
    path,
    gateway: (router) => {
      mockContent(router);
      more(router);
    },
  });

test("a legal text says since when it holds, and leads to the others", async () => {
  const { screen } = await open(<TextPage name="terms" legal />, "/terms-and-conditions");
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Terms and conditions");
  await expect.element(screen.getByText(/^As of/)).toHaveTextContent("21 November 2026");
  expect(screen.container.querySelector("time")?.dateTime).toBe("2026-11-21");
  await expect.element(screen.getByRole("heading", { name: "What you pay" })).toBeVisible();
  const rest = screen.getByRole("navigation", { name: "Small print" });
  await expect.poll(() => rest.getByRole("link").elements().length).toBe(3);
  expect(await axeFaults()).toEqual([]);
});

test("a text without a version says no day, and is not among the small print", async () => {
  const { screen } = await open(<AboutPage />, "/about");
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("About");
  expect(screen.container.querySelector("time")).toBeNull();
  expect(screen.getByRole("navigation", { name: "Small print" }).elements()).toEqual([]);
});

test("About names the trial by the configuration's own number", async () => {
  const { screen } = await open(<AboutPage />, "/about");
  await expect.element(screen.getByText(/A free trial with 3 meditation credits\./)).toBeVisible();
  await expect.element(screen.getByRole("listitem").filter({ hasText: "Streaks" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a text that cannot be brought says so, and is asked for again by a press", async () => {
  let asked = 0;
  const { screen } = await open(<TextPage name="privacy" legal />, "/privacy-policy", (router) =>
    router.rpc(PagesService.method.getText, () => {
      if (++asked === 1) throw new ConnectError("no", Code.Internal);
      return { title: "Privacy", html: "<p>Kept short.</p>" };
    }),
  );
  await expect.element(screen.getByRole("alert")).toBeVisible();
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("Kept short.")).toBeVisible();
});

test("the sitemap has every page in its group: a way there, who may go, and what is still to come", async () => {
  const { screen } = await open(<SitemapPage />, "/sitemap");
  await expect.element(screen.getByRole("heading", { name: "Yours" })).toBeVisible();
  const listed = screen.getByRole("listitem");
  await expect.poll(() => listed.filter({ hasText: "My Journey" }).elements().length).toBe(3);
  await expect.element(listed.filter({ hasText: "My Journey" }).first()).toHaveTextContent("Members only");
  await expect.element(listed.filter({ hasText: /^Home/ }).first()).not.toHaveTextContent("Members only");
  const coming = listed.filter({ hasText: "AI Chat" }).first();
  await expect.element(coming).toHaveTextContent("AI Chat, coming soon");
  expect(coming.getByRole("link").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});
