import type { ReactNode } from "react";
import { Link } from "@/lib/router";
import { home } from "@/copy/home";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { signIn } from "@/lib/sign-in";
import { Art } from "@/ui/Art";
import { GoWords } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Ring } from "@/ui/Ring";
import css from "./Features.module.css";

function Card({
  title,
  text,
  go,
  show,
  open,
}: {
  title: string;
  text: string;
  go: string;
  show: ReactNode;
  /** A path, or what a press does. */
  open: string | (() => void);
}) {
  return (
    <article className={css.card}>
      <div className={css.show} aria-hidden="true">
        {show}
      </div>
      <div className={css.text}>
        <h3>
          {typeof open === "string" ? (
            <Link className={css.open} to={open}>
              {title}
            </Link>
          ) : (
            <button type="button" className={css.open} onClick={open}>
              {title}
            </button>
          )}
        </h3>
        <p>{text}</p>
        <GoWords className={css.go}>{go}</GoWords>
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

const Shore = <Art scene="Stress Relief" seed="5" w={600} h={420} className={css.shore} />;

export function Features() {
  const member = useMember();
  const { title, bespoke, ambience, journey } = home.features;
  return (
    <section className={classes("wrap", css.features)} id="product" aria-labelledby="product-title">
      <h2 className={css.head} id="product-title">
        {title}
      </h2>
      <div className={css.cards}>
        <Card {...bespoke} show={Says} open={paths.generator} />
        <Card {...ambience} show={Shore} open={paths.generator} />
        <Card
          {...journey}
          go={member ? journey.go : journey.join}
          show={Fan}
          open={member ? paths.journey : () => signIn()}
        />
      </div>
    </section>
  );
}
