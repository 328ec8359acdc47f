import { useState } from "react";
import { home } from "@/copy/home";
import { formatDay, localDate } from "@/lib/format";
import { classes } from "@/ui/classes";
import { Motif } from "@/ui/Marks";
import css from "./Quote.module.css";
import { quoteOfTheDay } from "./quote";

/** By the member's own calendar, so by this machine's clock. */
export function Quote() {
  const [today] = useState(() => Date.now());
  return (
    <section className={classes("wrap", css.quote)} aria-label={home.quote}>
      <figure>
        <Motif className={css.motif} />
        <blockquote>“{quoteOfTheDay(today)}”</blockquote>
        <figcaption>
          <b>{home.quote}</b>
          <time dateTime={localDate(today)}>{formatDay(today)}</time>
        </figcaption>
      </figure>
    </section>
  );
}
