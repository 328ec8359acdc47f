import { notFound as copy } from "@/copy/not-found";
import { pages } from "@/copy/pages";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./NotFound.module.css";

/** What most people look for, and the way to ask. */
const WAYS = ["generator", "articles", "memberships", "contact"] as const;

/** For every address that leads nowhere: what is the matter, before the dunes, and where else to go. */
export function NotFound() {
  return (
    <section className={css.page} aria-labelledby="not-found">
      <Art scene="Uncategorized" seed="7" w={1440} h={680} className={css.art} />
      <div className="wrap">
        <div className={css.text}>
          <h1 id="not-found">{copy.title}</h1>
          <p className={classes("lead", css.lead)}>{copy.text}</p>
          <p>
            <ButtonLink look="primary" to={paths.home}>
              {copy.go}
            </ButtonLink>
          </p>
          <nav className={css.ways} aria-label={copy.or}>
            <p>{copy.or}</p>
            <ul>
              {WAYS.map((way) => (
                <li key={way}>
                  <Link to={paths[way]}>{pages[way]}</Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </div>
    </section>
  );
}
