import { account } from "@/copy/account";
import { sessionEnded } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useNavigate } from "@/lib/router";
import { useStore } from "@/lib/store";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";

const words = account.ended;

interface SessionEndedProps {
  /** The page that was asked for; "" where the session ran out over the page one is on. */
  returnTo: string;
}

/** Asks a member whose session ran out, or a visitor who opens a member's page, to sign in. */
export function SessionEnded({ returnTo }: SessionEndedProps) {
  const navigate = useNavigate();
  const ended = useStore(sessionEnded);
  const { title, text } = ended ? words : account.membersOnly;
  const close = () => {
    sessionEnded.set(false);
    if (returnTo) navigate(paths.home, { replace: true });
  };
  return (
    <Dialog title={title} onClose={close}>
      <p className="muted">{text}</p>
      <DialogActions>
        <Button look="quiet" onClick={close}>
          {words.later}
        </Button>
        <Button look="primary" data-first onClick={() => signIn(undefined, returnTo || undefined)}>
          {words.signIn}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
