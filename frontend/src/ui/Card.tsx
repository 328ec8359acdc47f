import type { ReactNode } from "react";
import { Link } from "@/lib/router";
import type { Condition } from "@/lib/template";
import { ALWAYS, not, When } from "@/lib/template";
import { Art } from "./Art";
import { classes } from "./classes";
import { Icon } from "./Icon";
import css from "./Card.module.css";

interface CardProps {
  /** Where the whole card leads; without it, and without `press`, the title is plain text. */
  to?: string;
  /** What a press on the card does, where it leads nowhere: its name says it, as "Play The lake after rain". */
  press?: { name: string; run: () => void } | undefined;
  /** Whether it can be heard, where an answer decides it: else there is nothing to press, and no length. */
  heard?: Condition;
  /** It is heard now: the pill shows the bars of a pause. */
  playing?: boolean;
  /** Runs inside the press that opens the card, before the page changes. */
  onOpen?: () => void;
  title: string;
  /** Short facts under the title, in their order; empty ones are left out. */
  facts: readonly (string | false | undefined)[];
  /** An image of an editor's, which covers the art. */
  picture?: ReactNode;
  scene: string;
  seed: string | number;
  /** The pill on the print, for instance "8 min". */
  length?: ReactNode;
  /** A word in the upper corner of the print. */
  tag?: string;
  /** Drawn over the print: a countdown ring on a deleted card. */
  over?: ReactNode;
  /** An icon button right of the title; it stays above the card's link. */
  action?: ReactNode;
  /** More than one of them. */
  actions?: ReactNode;
  as?: "h2" | "h3";
  /** Twice as wide as the others, and as high. */
  wide?: boolean;
  className?: string | undefined;
  /** Class of the print alone. */
  artClass?: string | undefined;
}

/** A word in the upper corner of the print, where an answer decides whether there is one: part of what is `over`. */
export const CardTag = ({ children }: { children: ReactNode }) => <span className={css.tag}>{children}</span>;

/** A card: a 4:5 print, a title, a few facts. One link is stretched over all of it. */
export function Card({
  to,
  press,
  heard = ALWAYS,
  playing,
  onOpen,
  title,
  facts,
  picture,
  scene,
  seed,
  length,
  tag,
  over,
  action,
  actions,
  as: H = "h3",
  wide,
  className,
  artClass,
}: CardProps) {
  const shown = facts.filter((fact): fact is string => Boolean(fact));
  return (
    <article className={classes(css.plate, wide && css.wide, className)}>
      <div className={css.print}>
        <Art
          scene={scene}
          seed={seed}
          {...(wide ? { w: 840, h: 504 } : { plate: true })}
          className={classes(css.art, artClass)}
        />
        {picture}
        {tag ? <CardTag>{tag}</CardTag> : null}
        {length ? (
          <When {...heard}>
            <span className={css.length}>
              <Icon name={playing ? "pause" : "play"} />
              {length}
            </span>
          </When>
        ) : null}
        {over}
      </div>
      <div className={css.row}>
        <div>
          <H className={css.title}>
            {to ? (
              <Link to={to} {...(onOpen && { onClick: onOpen })}>
                {title}
              </Link>
            ) : null}
            {press ? (
              <>
                <When {...heard}>
                  <button type="button" aria-label={press.name} onClick={press.run}>
                    {title}
                  </button>
                </When>
                <When {...not(heard)}>{title}</When>
              </>
            ) : null}
            {to || press ? null : title}
          </H>
          <p className={css.facts}>
            {shown.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        {action}
        {actions ? <div className={css.acts}>{actions}</div> : null}
      </div>
    </article>
  );
}
