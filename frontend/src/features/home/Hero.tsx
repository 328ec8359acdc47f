import { home } from "@/copy/home";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { chooseStill, useStill, useStillness } from "@/lib/motion";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { Button, ButtonLink, GoAnchor, IconButton } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./Hero.module.css";
import { Rain } from "./Rain";

function Sun() {
  return (
    <div className={css.sun} aria-hidden="true">
      <svg viewBox="0 0 100 100">
        <circle cx="50" cy="62" r="38" />
        <circle cx="50" cy="56" r="44" />
        <circle cx="50" cy="50" r="50" />
      </svg>
    </div>
  );
}

/** What moves longer than five seconds can be held still. */
function Stillness() {
  useStillness();
  const still = useStill();
  return (
    <IconButton
      icon={still ? "play" : "pause"}
      label={still ? home.move : home.still}
      className={css.still}
      onClick={() => chooseStill(!still)}
    />
  );
}

export function Hero() {
  const { openSignUp } = useAccountPanel();
  const member = useMember();
  return (
    <section className={css.hero} aria-labelledby="hero-title">
      <div className={classes("wrap", css.in)}>
        <div className={css.text}>
          <h1 id="hero-title">
            {home.title[0]}
            <br />
            {home.title[1]}
          </h1>
          <p className={classes("lead", css.lead)}>{home.lead}</p>
          <p className={css.go}>
            {member ? (
              <ButtonLink look="primary" className={css.start} to={paths.generator}>
                {home.make}
              </ButtonLink>
            ) : (
              <Button look="primary" data-visitor="" className={css.start} onClick={openSignUp}>
                {home.start}
              </Button>
            )}
            <GoAnchor href={member ? "#product" : "#listen"}>
              {member ? home.look : home.listenFirst}
            </GoAnchor>
          </p>
        </div>
        <p className={css.entry}>
          <b>{home.entry.word}</b>
          <span>{home.entry.text}</span>
        </p>
      </div>
      {/* after the words that they lie behind: the browser draws markup as it comes, and words would push them away */}
      <Rain />
      <div className={css.scene}>
        <Sun />
        <Art scene="hero" seed="21" w={1600} h={620} className={css.art} />
      </div>
      <Stillness />
    </section>
  );
}
