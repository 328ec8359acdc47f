import { useSyncExternalStore } from "react";
import { home } from "@/copy/home";
import { formatDay, localDate } from "@/lib/format";
import { classes } from "@/ui/classes";
import { Motif } from "@/ui/Marks";
import css from "./Quote.module.css";
import { quoteOfTheDay } from "./quote";

const never = () => () => undefined;
const today = () => localDate(Date.now());
/** The build knows nobody's day. */
const noDay = () => "";

/** By the member's own calendar, so by this machine's clock. */
export function Quote() {
  const day = useSyncExternalStore(never, today, noDay);
  const noon = new Date(`${day}T12:00:00`).getTime();
  return (
    <section className={classes("wrap", css.quote)} aria-label={home.quote}>
      <figure>
        <Motif className={css.motif} />
        <blockquote>{day ? `“${quoteOfTheDay(noon)}”` : null}</blockquote>
        <figcaption>
          <b>{home.quote}</b>
          {day ? <time dateTime={day}>{formatDay(noon)}</time> : null}
        </figcaption>
      </figure>
    </section>
  );
}
