import { about as copy } from "@/copy/about";
import { home } from "@/copy/home";
import { paths } from "@/lib/paths";
import { useTrialOffer } from "@/lib/session";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import css from "./About.module.css";
import { TextPage } from "./TextPage";

/** What Serein is: the editors' text with a picture before it, and what is not here and where to begin after it. */
export function AboutPage() {
  const offer = useTrialOffer();
  const picture = (
    <div className={css.picture}>
      <Art scene="Stress Relief" seed="12" w={1200} h={500} className={css.art} />
    </div>
  );
  return (
    <TextPage name="about" picture={picture}>
      <section className={css.never} aria-labelledby="never">
        <h2 id="never">{copy.never}</h2>
        <ul className={css.points}>
          {copy.points.map(([title, text]) => (
            <li key={title}>
              <b>{title}</b>
              {text}
            </li>
          ))}
        </ul>
      </section>
      <section className={css.end} aria-labelledby="end">
        <h2 id="end">{copy.end}</h2>
        <p className="muted">{home.join.text(offer)}</p>
        <ButtonLink look="primary" to={paths.memberships}>
          {copy.memberships}
        </ButtonLink>
      </section>
    </TextPage>
  );
}
