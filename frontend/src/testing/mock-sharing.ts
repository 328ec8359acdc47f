import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { failure } from "./failure";

/** What stands in the one link that leads somewhere. */
export const TOKEN = "Zk3vQp9aWm2xLr7tYc5nHd8sBf4jGe6u";

const WORDS = [
  "You made it to the end of that. Nothing more is being asked of you.",
  "Let the chair take your weight, all of it, the way a shore takes a boat.",
  "And when you are ready, one long breath out.",
  "There is nothing to row towards.",
];

/** A minute that somebody shares. */
export const shared = (more: object = {}) => ({
  title: "After the long meeting",
  typeName: "Stress Relief",
  narratorName: "Maren",
  durationMs: 60_000n,
  track: { id: "rain", name: "Rain", url: "/media/ambience/rain.mp3", loopLengthMs: 3000 },
  audioUrl: `/media/shared/${TOKEN}`,
  segments: WORDS.map((text, i) => ({
    index: i,
    startMs: BigInt(i * 15_000),
    durationMs: 15_000n,
    silenceMs: 4000n,
    lines: [{ text, startMs: BigInt(i * 15_000), endMs: BigInt(i * 15_000 + 9000) }],
  })),
  ...more,
});

export const NO_SHARE = failure(
  Code.NotFound,
  "This link doesn’t lead anywhere. It may have been ended.",
  "SHARE_NOT_FOUND",
  "",
);

/** Links from memory. */
export function mockSharing(router: ConnectRouter, token = TOKEN): void {
  const names = new Map<string, string>();
  const shareOf = (id: string) => {
    const shownName = names.get(id);
    if (shownName === undefined) return {};
    const createdAt = { seconds: 1_795_000_000n, nanos: 0 };
    return { share: { url: `https://serein.example/shared/${token}`, shownName, createdAt } };
  };
  router.service(SharingService, {
    getShare: ({ id }) => shareOf(id),
    shareMeditation: ({ id, showName }) => {
      names.set(id, showName ? "Amara" : "");
      return shareOf(id);
    },
    endShare: ({ id }) => {
      names.delete(id);
      return {};
    },
    getShared: (request) => {
      if (request.token !== token) throw NO_SHARE;
      return shared({ sharedBy: "Amara" });
    },
  });
}
