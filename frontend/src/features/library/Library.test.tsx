import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { library as copy } from "@/copy/library";
import { useData } from "@/data/data";
import { keepAnswer } from "@/data/keep-answer";
import { PAGE_ANSWERS } from "@/data/page-answers";
import { ItemService } from "@/gen/serein/web/v1/items_pb";
import type { ListMeditationsRequest } from "@/gen/serein/web/v1/library_pb";
import { LibraryService, ListMeditationsResponseSchema, Sound } from "@/gen/serein/web/v1/library_pb";
import { gate } from "@/testing/gate";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { paths } from "@/lib/paths";
import { useStore } from "@/lib/store";
import { toaster } from "@/ui/toast/store";
import { Library } from "./Library";

const card = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  category: { id: "better-sleep", name: "Better Sleep", confidence: 100 },
  immersive: true,
  verified: true,
  narratorName: "Maren",
  audioUrl: `/media/narrations/${id}.mp3`,
  audioSeconds: 492,
  standing: { likes: 4, liked: false, saved: id === "saved" },
  ...more,
});
const CARDS = [card("lake", "The lake after rain"), card("saved", "Bend, and stay")];
const track = (id: string, name: string) => ({
  id,
  name,
  url: `/media/tracks/${id}.mp3`,
  loopLengthMs: 60_000,
});

interface Scene {
  path?: string;
  admin?: boolean;
  answer?: (request: ListMeditationsRequest) => object;
}

/** What was told, where the app would show it. */
const Told = () => useStore(toaster.list).map(({ id, text }) => <p key={id}>{text}</p>);

async function open({ path = "/meditation-library", admin = false, answer = () => ({}) }: Scene = {}) {
  const asked: ListMeditationsRequest[] = [];
  const made = await show(
    <main>
      <Library />
      <Told />
    </main>,
    {
      path,
      member: member({ admin }),
      gateway: ({ rpc }) => {
        rpc(LibraryService.method.listMeditations, (request) => {
          asked.push(request);
          return create(ListMeditationsResponseSchema, {
            meditations: CARDS,
            total: 2,
            all: 26,
            voice: 13,
            immersive: 26,
            categories: [{ id: "better-sleep", name: "Better Sleep", count: 3 }],
            tracks: [track("warm", "Warm"), track("rain", "Rain")],
            ...answer(request),
          });
        });
        rpc(ItemService.method.setSaved, ({ saved }) => ({
          standing: { likes: 4, liked: false, saved },
          changed: true,
        }));
      },
    },
  );
  return { ...made, asked };
}

afterEach(() => sessionStorage.clear());

test("a tile shows its editor's picture, or a drawn print if it has no picture", async () => {
  const url = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  const { screen } = await open({
    answer: () => ({
      meditations: [
        card("lake", "The lake after rain", {
          picture: { url, alt: "A boat at a jetty", width: 4, height: 5 },
        }),
        card("drawn", "Bend, and stay"),
      ],
    }),
  });
  const picture = screen.getByRole("img", { name: "A boat at a jetty" });
  await expect.element(picture).toHaveAttribute("src", url);
  expect(document.querySelectorAll("article img")).toHaveLength(1);
  const covered = picture.element().getBoundingClientRect();
  const print = picture.element().parentElement?.getBoundingClientRect();
  expect([covered.width, covered.height]).toEqual([print?.width, print?.height]);
  expect(await axeFaults()).toEqual([]);
});

test("the library shows its kinds with their counts, its sounds with Warm first, and how many there are", async () => {
  const { screen, asked } = await open();
  await expect.element(screen.getByText("Showing 2 of 26")).toBeVisible();
  await expect.element(screen.getByRole("radio", { name: "Immersive 26" })).toBeChecked();
  await expect.element(screen.getByRole("radio", { name: "Voice 13" })).not.toBeChecked();
  const sounds = screen.getByRole("combobox", { name: "With" });
  await expect.element(sounds).toHaveValue("warm");
  expect([...sounds.element().querySelectorAll("option")].map((o) => o.textContent)).toEqual([
    "Warm",
    "Rain",
    "None",
  ]);
  expect(asked[0]).toMatchObject({ sound: Sound.IMMERSIVE, category: "", search: "", onlyUnverified: false });
  expect(screen.getByText(copy.unverified).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("kind, category and words stand in the address, and the sounds with Immersive alone", async () => {
  const { screen, asked } = await open();
  await screen.getByRole("checkbox", { name: /Better Sleep/ }).click({ force: true });
  await expect.poll(() => asked.at(-1)?.category).toBe("better-sleep");
  await screen.getByRole("searchbox", { name: "Search the library" }).fill("rain");
  await expect.poll(() => asked.at(-1)?.search).toBe("rain");
  expect(window.location.search).toBe("?category=better-sleep&search=rain");
  await screen.getByRole("radio", { name: /Voice/ }).click({ force: true });
  await expect.poll(() => asked.at(-1)).toMatchObject({ sound: Sound.VOICE, category: "", search: "rain" });
  expect(window.location.search).toBe("?search=rain&kind=voice");
  expect(screen.getByRole("combobox").elements()).toEqual([]);
});

test("an address brings its filters back", async () => {
  const { screen, asked } = await open({ path: "/meditation-library?kind=voice&search=lake" });
  await expect.element(screen.getByRole("searchbox")).toHaveValue("lake");
  expect(asked[0]).toMatchObject({ sound: Sound.VOICE, search: "lake" });
});

test("a press plays a meditation with the chosen sound beneath, and another holds it", async () => {
  const { screen, player } = await open();
  await screen.getByRole("button", { name: "Play The lake after rain" }).click();
  await expect.poll(() => player.engine.snapshot().wanted).toBe(true);
  expect(player.engine.snapshot().loop?.id).toBe("warm");
  await expect.element(screen.getByRole("slider", { name: "Position" })).toHaveAttribute("max", "492");
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("combobox", { name: "With" }).selectOptions("none");
  await expect.poll(() => player.engine.snapshot().loop).toBeNull();
  await screen.getByRole("button", { name: "Pause The lake after rain" }).click();
  expect(player.engine.snapshot().wanted).toBe(false);
});

test("the keyboard alone chooses a kind and a category, opens the note on both, and plays", async () => {
  const { screen, asked, player } = await open();
  await expect.element(screen.getByText("Showing 2 of 26")).toBeVisible();
  const focus = (role: "radio" | "checkbox" | "button", name: string | RegExp) => {
    const element = screen.getByRole(role, { name }).element();
    if (element instanceof HTMLElement) element.focus();
  };
  focus("radio", "Immersive 26");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.poll(() => asked.at(-1)?.sound).toBe(Sound.VOICE);
  focus("checkbox", "Better Sleep");
  await userEvent.keyboard(" ");
  await expect.poll(() => asked.at(-1)?.category).toBe("better-sleep");
  await userEvent.keyboard(" ");
  await expect.poll(() => window.location.search).toBe("?kind=voice");
  focus("button", copy.kinds.open);
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("heading", { name: copy.kinds.title })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => screen.getByRole("heading", { name: copy.kinds.title }).query()).toBeNull();
  focus("button", "Play The lake after rain");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => player.engine.snapshot().wanted).toBe(true);
});

/** The library as the gateway has filled its page: one answer for all of its subscribers. */
function Filled() {
  const data = useData();
  const filled = PAGE_ANSWERS[paths.library];
  useState(() => {
    const answer = create(ListMeditationsResponseSchema, { meditations: CARDS, total: 2, all: 26 });
    if (filled) keepAnswer(data, filled, {}, answer, 0);
  });
  return <Library />;
}

test("what the page brings for everybody stands at once, and the member's own hearts come with their own answer", async () => {
  const answer = gate();
  const { screen } = await show(<Filled />, {
    path: "/meditation-library",
    gateway: ({ rpc }) =>
      rpc(LibraryService.method.listMeditations, async () => {
        await answer.passed;
        return create(ListMeditationsResponseSchema, { meditations: CARDS, total: 2, all: 26 });
      }),
  });
  await expect.element(screen.getByText("Showing 2 of 26")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Play The lake after rain" })).toBeVisible();
  expect(screen.getByRole("button", { name: /^(Like|Save)/ }).elements()).toEqual([]);
  const title = () => screen.getByRole("heading", { name: "The lake after rain" }).element();
  const before = title().getBoundingClientRect();
  answer.open();
  await expect
    .element(screen.getByRole("button", { name: "Save Bend, and stay to My Journey" }))
    .toBeVisible();
  expect(title().getBoundingClientRect(), "nothing moves").toEqual(before);
});

test("the tiles before keep their hearts until the next have come", async () => {
  const { screen } = await show(<Library />, {
    path: "/meditation-library",
    gateway: ({ rpc }) =>
      rpc(LibraryService.method.listMeditations, ({ category }) => {
        if (category) return new Promise<never>(() => undefined);
        return create(ListMeditationsResponseSchema, {
          meditations: CARDS,
          total: 2,
          all: 26,
          categories: [{ id: "better-sleep", name: "Better Sleep", count: 3 }],
        });
      }),
  });
  const hearts = () => screen.getByRole("button", { name: /^Like/ }).elements().length;
  await expect.poll(hearts).toBe(2);
  await screen.getByRole("checkbox", { name: "Better Sleep" }).click({ force: true });
  await expect.poll(() => document.querySelector("[aria-busy=true]")).not.toBeNull();
  expect(hearts()).toBe(2);
});

test("adding to the journey says that it was added, or that it is there already", async () => {
  const { screen } = await open();
  await screen.getByRole("button", { name: "Save The lake after rain to My Journey" }).click();
  await expect.element(screen.getByText("The lake after rain has been added to your Journey")).toBeVisible();
  await screen.getByRole("button", { name: "Save Bend, and stay to My Journey" }).click();
  await expect.element(screen.getByText("Bend, and stay is already in your Journey")).toBeVisible();
});

test("a double click on Save adds it and says so once", async () => {
  const { screen } = await open();
  await screen.getByRole("button", { name: "Save The lake after rain to My Journey" }).dblClick();
  await expect.element(screen.getByText("The lake after rain has been added to your Journey")).toBeVisible();
  expect(toaster.list.get()).toHaveLength(1);
});

test("what is still being narrated says so, and cannot be played", async () => {
  const waits = card("new", "Raked gravel", { audioUrl: "", audioSeconds: 0 });
  const { screen } = await open({ answer: () => ({ meditations: [waits], narrating: 12, narrated: 29 }) });
  await expect.element(screen.getByText("12 of 29 are being recorded…")).toBeVisible();
  await expect.element(screen.getByText(copy.beingNarrated, { exact: true })).toBeVisible();
  expect(screen.getByRole("button", { name: /^Play/ }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("Show all brings the rest of what was looked for, and then takes the filters away", async () => {
  const pages: Record<string, object> = {
    "": { nextPageToken: "2" },
    "2": { meditations: [card("third", "Held by two hills")], nextPageToken: "" },
  };
  const { screen, asked } = await open({
    path: "/meditation-library?search=lake",
    answer: ({ pageToken, search }) => ({ ...pages[pageToken], total: search ? 3 : 4, all: 4 }),
  });
  await expect.element(screen.getByText("Showing 2 of 4")).toBeVisible();
  expect(screen.getByRole("button", { name: /^Show/ }).elements()).toHaveLength(1);
  await screen.getByRole("button", { name: "Show all 3" }).click();
  await expect.element(screen.getByText("Showing 3 of 4")).toBeVisible();
  expect(window.location.search).toBe("?search=lake");
  await screen.getByRole("button", { name: "Show all 4" }).click();
  await expect.poll(() => window.location.search).toBe("");
  await expect.poll(() => asked.at(-1)).toMatchObject({ search: "", pageToken: "2" });
});

test("a page that cannot be brought is asked for once, and not again and again", async () => {
  const { screen, asked } = await open({
    path: "/meditation-library?search=lake",
    answer: ({ pageToken }) => {
      if (pageToken) throw new ConnectError("broken", Code.Internal);
      return { nextPageToken: "2", total: 3, all: 4 };
    },
  });
  await screen.getByRole("button", { name: "Show all 3" }).click();
  const next = () => asked.filter(({ pageToken }) => pageToken === "2").length;
  await expect.poll(next).toBe(1);
  await screen.getByRole("button", { name: "Show all 3" }).click(); // a second press asks again
  await expect.poll(next).toBe(2);
});

test("the first plate is as wide as two, unless something is looked for", async () => {
  const { screen, asked } = await open();
  const widths = () =>
    screen
      .getByRole("article")
      .elements()
      .map(({ clientWidth }) => clientWidth);
  await expect.poll(() => widths().length).toBe(2);
  const [first = 0, second = 0] = widths();
  expect(first).toBeGreaterThan(2 * second);
  // As they are laid out: where the pointer was left by another test, the print under it grows a little.
  const prints = screen
    .getByRole("article")
    .elements()
    .map((plate) => plate.querySelector("svg"));
  const [wide = 0, narrow] = prints.map((print) => print?.clientHeight);
  expect(wide).toBeGreaterThan(100);
  expect(wide).toBe(narrow);
  expect(asked.at(-1)?.pageSize).toBe(11);
  await screen.getByRole("checkbox", { name: "Better Sleep" }).click({ force: true });
  await expect.poll(() => new Set(widths()).size).toBe(1);
  expect(asked.at(-1)?.pageSize).toBe(12);
});

test("a phone shows everything of it without scrolling sideways", async () => {
  await page.viewport(360, 760);
  const long = card("long", "Incomprehensibilities at the edge of a wood", {
    category: { id: "focus", name: "Focus and Concentration", confidence: 100 },
  });
  const { screen } = await open({ answer: () => ({ meditations: [...CARDS, long, card("last", "Bend")] }) });
  await expect.element(screen.getByText("Showing 4 of 26")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(360);
  expect(await axeFaults()).toEqual([]);
  await page.viewport(900, 800);
});

test("an empty search and a refused read each show their own text", async () => {
  const none = await open({
    path: "/meditation-library?search=zzz",
    answer: () => ({ meditations: [], total: 0 }),
  });
  await expect.element(none.screen.getByText(copy.notFound.text)).toBeVisible();
  await none.screen.unmount();
  const { screen } = await open({
    answer: () => {
      throw new ConnectError("no", Code.PermissionDenied);
    },
  });
  await expect.element(screen.getByRole("alert")).toBeVisible();
});

test("admins see those that nobody has verified, alone", async () => {
  const { screen, asked } = await open({ admin: true });
  await screen.getByRole("switch", { name: "Only Non-verified" }).click();
  await expect.poll(() => asked.at(-1)?.onlyUnverified).toBe(true);
  expect(window.location.search).toBe("?unverified=yes");
});

test("a meditation is passed on by its address in the library", async () => {
  const { screen } = await open();
  await screen.getByRole("button", { name: "Share The lake after rain" }).click();
  const dialog = page.getByRole("dialog", { name: "Share “The lake after rain”" });
  const link = dialog.getByRole("link", { name: "LinkedIn, opens in a new tab" });
  await expect.element(link).toBeVisible();
  const shared = new URL((link.element() as HTMLAnchorElement).href).searchParams.get("url");
  expect(shared).toBe(window.location.origin + paths.inLibrary("The lake after rain", true));
  expect(await axeFaults()).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
