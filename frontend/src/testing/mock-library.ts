import type { ConnectRouter } from "@connectrpc/connect";
import { ItemService } from "@/gen/serein/web/v1/items_pb";
import { LibraryService, Sound } from "@/gen/serein/web/v1/library_pb";

/** The Meditation Library from memory. */

const CARDS = [
  ["lake", "The lake after rain", "better-sleep", "Better Sleep", 492],
  ["lanterns", "Lanterns for everyone", "loving-kindness", "Loving Kindness", 546],
  ["bend", "Bend, and stay", "resilience", "Resilience", 371],
  ["ring", "One ring at a time", "anxiety-relief", "Anxiety Relief", 252],
  ["valley", "First light in the valley", "trauma", "Trauma", 540],
  ["gravel", "Raked gravel", "focus-and-concentration", "Focus and Concentration", 0],
  ["field", "What the field gave", "gratitude", "Gratitude", 366],
  ["rowing", "Rowing without hurry", "mindfulness", "Mindfulness", 481],
  ["half-way", "Meeting half way", "relationships", "Relationships", 366],
  ["weather", "When the weather breaks", "anger", "Anger", 246],
  ["hills", "Held by two hills", "compassion", "Compassion", 372],
] as const;

const TRACKS = [
  { id: "warm", name: "Warm", url: "/media/ambience/warm.mp3", loopLengthMs: 3000 },
  { id: "ocean", name: "Ocean", url: "/media/ambience/ocean.mp3", loopLengthMs: 3000 },
  { id: "rain", name: "Rain", url: "/media/ambience/rain.mp3", loopLengthMs: 3000 },
];

const recording = (
  [id, title, filed, name, audioSeconds]: (typeof CARDS)[number],
  immersive: boolean,
  more: object = {},
) => ({
  id,
  title,
  category: { id: filed, name, confidence: 100 },
  immersive,
  verified: true,
  narratorName: "Maren",
  audioUrl: audioSeconds ? `/media/narrations/${id}.mp3` : "",
  audioSeconds,
  standing: { likes: 4, liked: id === "ring", saved: id === "lake" },
  ...more,
});

/** What a member has saved of it. */
export const savedOfLibrary = (intro: boolean) =>
  (intro ? CARDS.slice(7, 9) : CARDS.slice(0, 6)).map((card) =>
    recording(card, true, { intro, standing: { likes: 4, liked: false, saved: true } }),
  );

/** What suits the hour, with the sounds that go beneath it. */
export const suggestedOfLibrary = () => ({ meditation: recording(CARDS[6], true), tracks: TRACKS });

const scene = () => new URLSearchParams(window.location.search).get("scene") ?? "";

export function mockLibrary(router: ConnectRouter): void {
  router.service(LibraryService, {
    listMeditations: ({ search, sound, category, onlyIntro }) => {
      const found = (onlyIntro ? CARDS.slice(7, 9) : CARDS).filter(
        ([, title, filed]) =>
          title.toLowerCase().includes(search.toLowerCase()) && (!category || filed === category),
      );
      return {
        meditations: found.map((card) => recording(card, sound === Sound.IMMERSIVE)),
        nextPageToken: search || category ? "" : "more",
        total: search || category ? found.length : 26,
        all: 26,
        voice: 13,
        immersive: 26,
        categories: CARDS.map(([, , id, name]) => ({ id, name, count: 2 })),
        narrating: scene() === "narrating" ? 12 : 0,
        narrated: 29,
        tracks: TRACKS,
      };
    },
  });
  router.service(ItemService, {
    setLike: ({ liked }) => ({ standing: { likes: 5, liked, saved: false } }),
    setSaved: ({ saved }) => ({ standing: { likes: 4, liked: false, saved }, changed: true }),
  });
}
