import { notFound as copy } from "@/copy/not-found";
import { paths } from "@/lib/paths";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./NotFound.module.css";

/** For every address that leads nowhere: what is the matter, before the dunes. */
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
        </div>
      </div>
    </section>
  );
}
