import { checkout } from "@/copy/checkout";
import { useAccountPanel } from "@/lib/account-panel";
import { useSignInLink } from "@/lib/sign-in-link";
import { Button, ButtonLink } from "@/ui/Button";
import css from "./CheckoutPage.module.css";

const copy = checkout.visitor;

/** A visitor's basket is paid by an account. Signing in, or up, leads back here. */
export function Ask() {
  const enter = useSignInLink();
  const { openSignUp } = useAccountPanel();
  return (
    <div className={css.inside}>
      <div>
        <h2>{copy.title}</h2>
        <p className={css.lead}>{copy.text}</p>
      </div>
      <p className={css.ways}>
        <ButtonLink {...enter} look="primary">
          {copy.signIn}
        </ButtonLink>
        <Button onClick={openSignUp}>{copy.signUp}</Button>
      </p>
    </div>
  );
}
