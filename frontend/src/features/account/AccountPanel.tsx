import { account } from "@/copy/account";
import { shell } from "@/copy/shell";
import type { AccountPanel as Panel } from "@/lib/account-panel";
import { closeAccountPanel } from "@/lib/account-panel";
import { signIn } from "@/lib/sign-in";
import { Art } from "@/ui/Art";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Mark } from "@/ui/Marks";
import "./account.css";
import { ConfirmForm } from "./ConfirmForm";
import { SignedUp } from "./SignedUp";
import { SignUpForm } from "./SignUpForm";

/** Which step of two, as figures and words. */
function Steps({ at }: { at: 1 | 2 }) {
  return (
    <p className="steps">
      <i className="on">{at === 1 ? "1" : "✓"}</i>
      {account.create.step}
      <span className="steps__line" aria-hidden="true" />
      <i className={at === 2 ? "on" : undefined}>2</i>
      {account.confirm.step}
    </p>
  );
}

function Ended() {
  return (
    <Dialog title={account.ended.title} onClose={closeAccountPanel}>
      <p className="muted">{account.ended.text}</p>
      <div className="acts">
        <Button look="quiet" onClick={closeAccountPanel}>
          {account.ended.later}
        </Button>
        <Button look="primary" onClick={() => signIn()}>
          {account.ended.signIn}
        </Button>
      </div>
    </Dialog>
  );
}

const TITLES = {
  "sign-up": account.create.title,
  confirm: account.confirm.title,
  done: account.done.logging,
} as const;

/** The sign-up panel over the page: create, confirm, and the hand-over to the hosted sign-in. */
export default function AccountPanel({ panel }: { panel: Panel }) {
  if (panel.face === "ended") return <Ended />;
  return (
    <Dialog title={TITLES[panel.face]} renderTitle={false} onClose={closeAccountPanel} className="su-dialog">
      <div className="su">
        <div className="su__art" data-theme="dark" aria-hidden="true">
          <Art scene="Loving Kindness" seed="5" w={700} h={900} theme="dark" />
          <span className="logo">
            <Mark />
            <span>{shell.name}</span>
          </span>
          <p>{account.create.art}</p>
        </div>
        <div className="su__form">
          {panel.face === "sign-up" ? <Steps at={1} /> : <Steps at={2} />}
          {panel.face === "sign-up" ? <SignUpForm /> : null}
          {panel.face === "confirm" ? <ConfirmForm username={panel.username} email={panel.email} /> : null}
          {panel.face === "done" ? <SignedUp username={panel.username} confirmed={panel.confirmed} /> : null}
        </div>
      </div>
    </Dialog>
  );
}
