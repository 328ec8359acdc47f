import { articles as copy } from "@/copy/articles";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember, useTrialOffer } from "@/lib/session";
import { useSignInLink } from "@/lib/sign-in-link";
import { Art } from "@/ui/Art";
import { Button, ButtonLink } from "@/ui/Button";
import css from "./Ask.module.css";

/** In the place of what is left out: visitors are asked to join, members are told what opens it. */
export function Ask() {
  const member = useMember();
  const offer = useTrialOffer();
  const { openSignUp } = useAccountPanel();
  const enter = useSignInLink();
  return (
    <section className={css.ask} data-theme="dark" aria-labelledby="ask-title">
      <Art scene="Better Sleep" seed="5" w={1200} h={420} theme="dark" className={css.art} />
      <h2 id="ask-title">{copy.ask.title}</h2>
      <p>{member ? copy.ask.member : copy.ask.text(offer)}</p>
      <p className={css.acts}>
        {member ? (
          <ButtonLink look="primary" to={paths.memberships}>
            {copy.ask.memberships}
          </ButtonLink>
        ) : (
          <>
            <Button look="primary" onClick={openSignUp}>
              {copy.ask.join}
            </Button>
            <ButtonLink {...enter}>{copy.ask.signIn}</ButtonLink>
          </>
        )}
      </p>
    </section>
  );
}
