import { useSyncExternalStore } from "react";
import { useQuery } from "@connectrpc/connect-query";
import { home as copy } from "@/copy/home";
import type { GetHomeResponse } from "@/gen/serein/web/v1/pages_pb";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { now } from "@/lib/clock";
import { formatDay, isoDate, localDate } from "@/lib/format";
import { classes } from "@/ui/classes";
import { Motif } from "@/ui/Marks";
import css from "./Quote.module.css";

const never = () => () => undefined;
const today = () => localDate(Date.now());
const dayOfTheHouse = () => isoDate(now());
/** The build does not know the reader's day. */
const noDay = () => "";

/** The quote for the day on the reader's calendar (their device's clock). If that day is not the server's, the quote is read for it. */
export function Quote({ home }: { home: GetHomeResponse | undefined }) {
  const day = useSyncExternalStore(never, today, noDay);
  const houses = useSyncExternalStore(never, dayOfTheHouse, noDay);
  const own = useQuery(PagesService.method.getHome, { localDate: day }, { enabled: day !== houses });
  const quote = day === houses ? home?.quote : own.data?.quote;
  const noon = new Date(`${day}T12:00:00`).getTime();
  return (
    <section className={classes("wrap", css.quote)} aria-label={copy.quote}>
      <figure>
        <Motif className={css.motif} />
        <blockquote>{quote ? `“${quote}”` : null}</blockquote>
        <figcaption>
          <b>{copy.quote}</b>
          {day ? <time dateTime={day}>{formatDay(noon)}</time> : null}
        </figcaption>
      </figure>
    </section>
  );
}
