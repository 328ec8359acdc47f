import type { ReactNode } from "react";
import { home } from "@/copy/home";
import type { Member } from "@/lib/boot";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { GoWords } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Ring } from "@/ui/Ring";
import css from "./Features.module.css";

interface CardProps {
  title: string;
  text: string;
  go: string;
  show: ReactNode;
  /** Where it leads; null: nowhere, for this reader. */
  open: string | null;
}

function Card({ title, text, go, show, open }: CardProps) {
  return (
    <article className={css.card}>
      <div className={css.show} aria-hidden="true">
        {show}
      </div>
      <div className={css.text}>
        <h3>
          {open ? (
            <Link className={css.open} to={open}>
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        <p>{text}</p>
        {open ? <GoWords className={css.go}>{go}</GoWords> : null}
      </div>
    </article>
  );
}

const Says = (
  <div className={css.says} data-theme="dark">
    <Ring className={css.ring} size={196} share={0.62} track={1.5} arc={5} />
    <p>{home.features.bespoke.says}</p>
  </div>
);

const Fan = (
  <div>
    <Art scene="Compassion" seed="3" w={200} h={250} className={css.fanned} />
    <Art scene="Relationships" seed="2" w={200} h={250} className={css.fanned} />
    <Art scene="Mindfulness" seed="2" w={200} h={250} className={css.fanned} />
  </div>
);

const Sheet = (
  <div className={css.sheet}>
    <b>{home.features.articles.sample}</b>
    <p>{home.features.articles.opening}</p>
    <i />
    <i />
    <i />
  </div>
);

/** A running plan without articles is the one that only generates: for it the articles' card leads nowhere. */
const articlesOpen = ({ plan }: Member): boolean => !plan?.active || plan.entitlements.includes("articles");

/** What Serein has. The cards lead on for members alone. */
export function Features() {
  const member = useMember();
  const { title, articles, bespoke, journey } = home.features;
  return (
    <section className={classes("wrap", css.features)} id="product" aria-labelledby="product-title">
      <h2 className={css.head} id="product-title">
        {title}
      </h2>
      <div className={css.cards}>
        <Card
          title={articles.title}
          text={articles.text}
          go={articles.go}
          show={Sheet}
          open={member && articlesOpen(member) ? paths.articles : null}
        />
        <Card
          title={bespoke.title}
          text={bespoke.text}
          go={bespoke.go}
          show={Says}
          open={member ? paths.generator : null}
        />
        <Card {...journey} show={Fan} open={member ? paths.journey : null} />
      </div>
    </section>
  );
}
