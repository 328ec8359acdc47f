import { home } from "@/copy/home";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useTrialOffer } from "@/lib/session";
import { Art } from "@/ui/Art";
import { Button, ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./Join.module.css";

/** The trial, offered to visitors at the foot of the page. */
export function Join() {
  const offer = useTrialOffer();
  const { openSignUp } = useAccountPanel();
  return (
    <section data-visitor="" className={classes("wrap", css.join)} aria-labelledby="join-title">
      <div className={css.in} data-theme="dark">
        <Art scene="Loving Kindness" seed="14" w={1200} h={440} theme="dark" className={css.art} />
        <div className={css.text}>
          <h2 id="join-title">{home.join.title(offer)}</h2>
          <p className={classes("lead", css.lead)}>{home.join.text(offer)}</p>
          <p className={css.go}>
            <Button look="primary" onClick={openSignUp}>
              {home.join.go}
            </Button>
            <ButtonLink to={paths.memberships}>{home.join.memberships}</ButtonLink>
          </p>
        </div>
      </div>
    </section>
  );
}
