import { memberships } from "@/copy/memberships";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";

const copy = memberships.changing;

/** How a paid plan is changed to another one. */
export function ChangeDialog({ plan, onClose }: { plan: string; onClose: () => void }) {
  return (
    <Dialog title={copy.title(plan)} onClose={onClose}>
      <p>{copy.text}</p>
      <p className="small muted">{copy.still}</p>
      <DialogActions>
        <Button look="quiet" onClick={onClose}>
          {copy.later}
        </Button>
        <ButtonLink look="primary" to={paths.changeOfPlan(plan)} data-first="">
          {copy.write}
        </ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
