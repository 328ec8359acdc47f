import { courses as copy } from "@/copy/courses";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { useSignInLink } from "@/lib/sign-in-link";
import { Button, ButtonLink } from "@/ui/Button";
import css from "./CoursePage.module.css";

/** What opens the days, for who may not have them: visitors are asked to join, members are told what it takes. */
export function Join() {
  const member = useMember();
  const { openSignUp } = useAccountPanel();
  const enter = useSignInLink();
  return (
    <section className={css.join} aria-labelledby="join" {...(!member && { "data-visitor": "" })}>
      <h2 id="join">{copy.join.title}</h2>
      <p>{member ? copy.join.member : copy.join.visitor}</p>
      <p className={css.joinActs}>
        {member ? (
          <ButtonLink look="primary" to={paths.memberships}>
            {copy.join.memberships}
          </ButtonLink>
        ) : (
          <>
            <Button look="primary" onClick={openSignUp}>
              {copy.join.join}
            </Button>
            <ButtonLink {...enter}>{copy.join.signIn}</ButtonLink>
          </>
        )}
      </p>
    </section>
  );
}
