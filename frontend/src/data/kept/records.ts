/** What a member keeps on this device, as IndexedDB holds it. Times are ms since 1970, lengths bytes or ms as they say. */

export type KeptKind = "bespoke" | "library" | "track";

/** One file of what is kept, as the gateway described it. */
export interface KeptFile {
  /** Its address on this site, from the slash on. */
  url: string;
  bytes: number;
  type: string;
  /** Names these bytes; "" where the gateway gave no tag. */
  etag: string;
}

/** A spoken line, or a silence. */
export type KeptWords = readonly (
  | { kind: "line"; text: string; startMs: number; endMs: number }
  | { kind: "quiet"; startMs: number; lengthMs: number }
)[];

/** The sound beneath, and the part of it that repeats. */
export interface KeptLoop {
  id: string;
  url: string;
  startMs: number;
  lengthMs: number;
}

/** What is to be kept, before its files are here. */
export interface Keepable {
  /** Its name in the player. */
  id: string;
  kind: KeptKind;
  title: string;
  narrator: string;
  /** Its print. */
  scene: string;
  seed: string;
  lengthMs: number;
  /** The page where it is found. */
  to: string;
  /** The sound itself. */
  audio: string;
  /** An editor's picture; "" for the print alone. */
  picture: string;
  loop: KeptLoop | null;
  words: KeptWords;
  /** Until when it may be heard; 0 for always. */
  until: number;
}

export interface KeptItem extends Keepable {
  files: readonly KeptFile[];
  /** The addresses of the files, by which they are found. */
  urls: readonly string[];
  keptAt: number;
}

/** Where the member stopped without a connection, until the gateway has taken it. */
export interface KeptPlace {
  id: string;
  positionMs: number;
  durationMs: number;
  heardAt: number;
  /** The gateway does not know it yet. */
  unsent: boolean;
  /** The newest turn of the recording that this device knew of when it last met the gateway. */
  turn: bigint;
}

/** Whose this device's recordings are. */
export interface Keeper {
  uid: string;
  /** Its member was signed in when this device last met the gateway. */
  open: boolean;
  /** The gateway's clock then: a clock that was set back lengthens no plan. */
  seenAt: number;
}

export const addressesOf = ({ audio, picture, loop }: Keepable): string[] => [
  ...new Set([audio, picture, loop?.url ?? ""].filter(Boolean)),
];

/** The bytes of some recordings; a file that two of them have is there once. */
export function bytesOf(items: readonly { files: readonly KeptFile[] }[]): number {
  const files = new Map(items.flatMap((item) => item.files).map((file) => [file.url, file.bytes]));
  return [...files.values()].reduce((all, bytes) => all + bytes, 0);
}

/** Whether its time is over; `now` by this device's clock. */
export const isOver = (item: Keepable, keeper: Keeper, now: number): boolean =>
  item.until > 0 && Math.max(now, keeper.seenAt) >= item.until;

export const kindOf = (id: string): KeptKind => {
  const [prefix, rest] = id.split("/");
  if (rest === undefined) return "bespoke";
  return prefix === "library" ? "library" : "track";
};
