import { home } from "@/copy/home";
import { openSignUp } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { chooseStill, useStill, useStillness } from "@/lib/motion";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { Button, ButtonLink, GoInside, IconButton } from "@/ui/Button";
import { Rain } from "./Rain";

function Sun() {
  return (
    <div className="sun" aria-hidden="true">
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
      className="hero__still"
      onClick={() => chooseStill(!still)}
    />
  );
}

export function Hero() {
  const member = useMember();
  return (
    <section className="hero" aria-labelledby="hero-title">
      <Rain />
      <div className="scene">
        <Sun />
        <Art scene="hero" seed="21" w={1600} h={620} className="hero__scene" />
      </div>
      <div className="wrap">
        <div className="hero__text">
          <h1 id="hero-title">
            {home.title[0]}
            <br />
            {home.title[1]}
          </h1>
          <p className="lead">{home.lead}</p>
          <p className="hero__go">
            {member ? (
              <ButtonLink look="primary" to={paths.generator}>
                {home.make}
              </ButtonLink>
            ) : (
              <Button look="primary" onClick={openSignUp}>
                {home.start}
              </Button>
            )}
            <a className="go" href="#product">
              <GoInside>{home.look}</GoInside>
            </a>
          </p>
        </div>
        <p className="entry">
          <b>{home.entry.word}</b>
          <span>{home.entry.text}</span>
        </p>
      </div>
      <Stillness />
    </section>
  );
}
