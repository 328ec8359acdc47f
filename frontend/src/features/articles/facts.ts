import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { formatCalendarDate, isoDate } from "@/lib/format";

const msOf = (at: Timestamp | undefined): number => (at ? timestampMs(at) : 0);

/** "3 November 2026", the day of an article, which is the same for everybody. */
export const publishedDay = (at: Timestamp | undefined): string => formatCalendarDate(msOf(at));
/** The same as YYYY-MM-DD. */
export const publishedDate = (at: Timestamp | undefined): string => isoDate(msOf(at));

/** Whether a text names the helpline that ours name: somebody who needs it may have to leave quickly. */
export const namesHelpline = (html: string): boolean => html.includes("116 123");
