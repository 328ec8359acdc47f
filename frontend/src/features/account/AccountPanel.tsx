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
function Steps({ face }: { face: OpenPanel["face"] }) {
  return (
    <p className={css.steps}>
      <i className={css.reached}>{face === "sign-up" ? "1" : "✓"}</i>
      {account.create.step}
      <span className={css.line} aria-hidden="true" />
      <i className={face === "sign-up" ? undefined : css.reached}>{face === "done" ? "✓" : "2"}</i>
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
export function AccountPanel({ panel: { face, username, email, confirmed } }: { panel: OpenPanel }) {
  const { close } = useAccountPanel();
  return (
    <Dialog title={TITLES[face]} bare onClose={close} className={css.dialog}>
      <div className={css.columns}>
        <div className={css.art} data-theme="dark" aria-hidden="true">
          <Art scene="Loving Kindness" seed="5" w={700} h={900} theme="dark" className={css.print} />
          <Logo className={css.logo} />
          <p>{account.create.art}</p>
        </div>
        <div className={css.side}>
          <Steps face={face} />
          {face === "sign-up" ? <SignUpForm /> : null}
          {face === "confirm" ? <ConfirmForm key={username} username={username} email={email} /> : null}
          {face === "done" ? <SignedUp username={username} confirmed={confirmed} /> : null}
        </div>
      </div>
    </Dialog>
  );
}
