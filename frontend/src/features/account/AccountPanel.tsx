import { account } from "@/copy/account";
import type { OpenPanel } from "@/lib/account-panel";
import { useAccountPanel } from "@/lib/account-panel";
import { Art } from "@/ui/Art";
import { Dialog } from "@/ui/Dialog";
import { Logo } from "@/ui/Marks";
import css from "./AccountPanel.module.css";
import { ConfirmForm } from "./ConfirmForm";
import { SignedUp } from "./SignedUp";
import { SignUpForm } from "./SignUpForm";

/** Which step of two, as figures and words. */
function Steps({ step }: { step: OpenPanel["step"] }) {
  return (
    <p className={css.steps}>
      <i className={css.reached}>{step === "sign-up" ? "1" : "✓"}</i>
      {account.create.step}
      <span className={css.line} aria-hidden="true" />
      <i className={step === "sign-up" ? undefined : css.reached}>{step === "done" ? "✓" : "2"}</i>
      {account.confirm.step}
    </p>
  );
}

const TITLES = {
  "sign-up": account.create.title,
  confirm: account.confirm.title,
  done: account.done.logging,
} as const;

/** The sign-up panel over the page: create, confirm, and the hand-over to the hosted sign-in. */
export function AccountPanel({
  panel: { step, username, email, heldBack, confirmed },
}: {
  panel: OpenPanel;
}) {
  const { close } = useAccountPanel();
  return (
    <Dialog title={TITLES[step]} bare onClose={close} className={css.dialog}>
      <div className={css.columns}>
        <div className={css.art} data-theme="dark" aria-hidden="true">
          <Art scene="Loving Kindness" seed="5" w={700} h={900} theme="dark" className={css.print} />
          <Logo className={css.logo} />
          <p>{account.create.art}</p>
        </div>
        <div className={css.side}>
          <Steps step={step} />
          {step === "sign-up" ? <SignUpForm /> : null}
          {step === "confirm" ? (
            <ConfirmForm key={username} username={username} email={email} heldBack={heldBack} />
          ) : null}
          {step === "done" ? <SignedUp username={username} confirmed={confirmed} /> : null}
        </div>
      </div>
    </Dialog>
  );
}
