import { basket as copy } from "@/copy/basket";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { BasketItemKind } from "@/gen/serein/web/v1/basket_pb";
import { formatDate, formatNumber } from "@/lib/format";
import type { ItemPictureProps } from "@/ui/ItemPicture";

/** How a line of the basket is put into words. */

const DAY_MS = 86_400_000;

export const isMembership = ({ kind }: BasketLine): boolean => kind === BasketItemKind.MEMBERSHIP;
export const isPack = ({ kind }: BasketLine): boolean => kind === BasketItemKind.CREDIT_PACK;

/** What its picture is made of. */
export function pictureOf(line: BasketLine): ItemPictureProps {
  if (isMembership(line)) return { kind: "membership" };
  if (isPack(line)) return { kind: "pack", credits: line.credits };
  return { kind: "product", picture: line.picture };
}

/** "Premium membership", "Rain socks". */
export const nameOf = (line: BasketLine): string =>
  isMembership(line) ? copy.membership(line.name) : line.name;

/** What it is called where there may be two sizes of it: "Rain socks, size 4 to 7". */
export const fullNameOf = (line: BasketLine): string =>
  line.size && !isMembership(line) ? `${line.name}, ${copy.size(line.size).toLowerCase()}` : nameOf(line);

/** What stands under its name; "" where there is nothing to say. */
export function factsOf(line: BasketLine): string {
  const credits = formatNumber(Number(line.credits));
  if (isMembership(line)) return line.size === "year" ? copy.byYear(credits) : copy.byMonth(credits);
  if (isPack(line)) return copy.pack;
  return line.size ? copy.size(line.size) : "";
}

/** "saved 19 November", and "saved today". */
export function savedOn(line: BasketLine, nowMs: number): string {
  if (!line.savedAt) return "";
  const ms = Number(line.savedAt.seconds) * 1000;
  const today = formatDate(ms) === formatDate(nowMs) && nowMs - ms < DAY_MS;
  return today ? copy.later.justNow : copy.later.saved(formatDate(ms));
}
