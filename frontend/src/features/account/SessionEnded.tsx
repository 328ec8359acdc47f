import { account } from "@/copy/account";
import { sessionEnded } from "@/lib/account-panel";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";

const words = account.ended;

/** Asks a member whose session ran out to sign in again, over the page they are on. */
export function SessionEnded() {
  const close = () => sessionEnded.set(false);
  return (
    <Dialog title={words.title} onClose={close}>
      <p className="muted">{words.text}</p>
      <DialogActions>
        <Button look="quiet" onClick={close}>
          {words.later}
        </Button>
        <Button look="primary" onClick={() => signIn()}>
          {words.signIn}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
