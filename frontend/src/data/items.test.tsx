import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { useQuery } from "@connectrpc/connect-query";
import { expect, test } from "vitest";
import { ArticlesService, GetArticleResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import {
  ItemKind,
  ItemService,
  SetLikeResponseSchema,
  SetSavedResponseSchema,
} from "@/gen/serein/web/v1/items_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { axeFaults, show } from "@/testing/page";
import { LikeButton, LikeIcon, SaveButton, SaveIcon } from "@/ui/ItemButtons";
import { useLike, useSave } from "./items";

const card = { id: "a1", title: "Rest", standing: { likes: 4, liked: false, saved: false } };

/** The same item twice, as a page and a card show it. */
function Screens() {
  const { data } = useQuery(ArticlesService.method.getArticle, { slug: "rest" });
  const item = { kind: ItemKind.ARTICLE, id: "a1" };
  const like = useLike(item, data?.card?.standing);
  const save = useSave(item, data?.card?.standing);
  const second = useLike(item, data?.card?.standing);
  return data ? (
    <main>
      <LikeButton like={like} />
      <SaveButton save={save} />
      <LikeIcon like={second} title="Rest" />
      <SaveIcon save={save} title="Rest" />
    </main>
  ) : null;
}

type Answers = { liked?: () => Promise<unknown>; saved?: () => Promise<unknown> };

async function open({ liked, saved }: Answers, visitor = false) {
  return show(<Screens />, {
    ...(visitor && { member: null }),
    gateway: ({ rpc }) => {
      rpc(ArticlesService.method.getArticle, () => create(GetArticleResponseSchema, { card }));
      rpc(ItemService.method.setLike, async (request) => {
        await liked?.();
        return create(SetLikeResponseSchema, {
          standing: { likes: request.liked ? 9 : 8, liked: request.liked, saved: false },
        });
      });
      rpc(ItemService.method.setSaved, async (request) => {
        await saved?.();
        return create(SetSavedResponseSchema, {
          standing: { likes: 4, liked: false, saved: request.saved },
          changed: true,
        });
      });
    },
  });
}

test("a like shows at once, and the server's count everywhere once it has answered", async () => {
  const [first, second] = [gate(), gate()];
  const answers = [first.passed, second.passed];
  const { screen } = await open({ liked: async () => answers.shift() });
  await screen.getByText("Like, 4").click();
  await expect.element(screen.getByText("Like, 5")).toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByText("Like, 5")).toHaveAttribute("aria-busy", "true");
  first.open();
  await expect.element(screen.getByText("Like, 9")).toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByText("Like, 9")).not.toHaveAttribute("aria-busy");
  const heart = screen.getByRole("button", { name: /^Like Rest, \d likes$/ });
  await expect.element(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect.element(heart).toHaveAttribute("aria-busy", "true");
  second.open();
  await expect.element(screen.getByText("Like, 8")).toHaveAttribute("aria-pressed", "false");
  await expect.element(heart).not.toHaveAttribute("aria-busy");
});

test("a like and a bookmark that are refused are taken back", async () => {
  const refused = () =>
    Promise.reject(failure(Code.PermissionDenied, "Your plan has ended.", "SUBSCRIPTION_REQUIRED", ""));
  const { screen } = await open({ liked: refused, saved: refused });
  await screen.getByText("Like, 4").click();
  await expect.element(screen.getByText("Like, 4")).toHaveAttribute("aria-pressed", "false");
  await screen.getByRole("button", { name: "Save to My Journey", exact: true }).click();
  await expect.element(screen.getByText("Save to My Journey")).toBeVisible();
});

test("what is saved says so, and is not saved any more by another press", async () => {
  const answer = gate();
  const { screen } = await open({ saved: async () => answer.passed });
  expect(await axeFaults()).toEqual([]);
  await screen.getByText("Save to My Journey").click();
  const button = screen.getByRole("button", { name: "Saved to My Journey", exact: true });
  const icon = screen.getByRole("button", { name: "Save Rest to My Journey" });
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  await expect.element(icon).toHaveAttribute("aria-busy", "true");
  answer.open();
  await expect.element(button).not.toHaveAttribute("aria-busy");
  await expect.element(icon).not.toHaveAttribute("aria-busy");
  await expect.element(icon).toHaveAttribute("aria-pressed", "true");
  await icon.click();
  await expect.element(screen.getByText("Save to My Journey")).toBeVisible();
});

test("visitors have neither hearts nor bookmarks", async () => {
  const { screen } = await open({}, true);
  await expect.element(screen.getByRole("main")).toBeInTheDocument();
  expect(screen.getByRole("button").elements()).toEqual([]);
});
