import { left as words } from "@/copy/left";
import { sessionEnded } from "@/lib/account-panel";
import { leftUntil } from "@/lib/left";
import { paths } from "@/lib/paths";
import { useNavigate } from "@/lib/router";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";

/** Tells a member who has just deleted their account until when (ms) they can undo it, and how. */
export function Left({ until }: { until: number }) {
  const navigate = useNavigate();
  const close = () => {
    leftUntil.set(0);
    sessionEnded.set(false);
    navigate(paths.home, { replace: true });
  };
  return (
    <Dialog title={words.title} onClose={close}>
      <p>{words.until(until)}</p>
      <p className="muted">{words.out}</p>
      <p className="muted">{words.thanks}</p>
      <DialogActions>
        <Button look="quiet" onClick={() => signIn(undefined, paths.members)}>
          {words.signIn}
        </Button>
        <Button look="primary" data-first onClick={close}>
          {words.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
