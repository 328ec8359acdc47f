import { useForm } from "react-hook-form";
import { members } from "@/copy/members";
import { END_PLAN, RESET_TO_TRIAL } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import { EndPlanRequestRules as RULES } from "@/gen/serein/web/v1/membership_rules";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { ErrorNote } from "@/ui/States";
import type { Act } from "./GodControls";
import css from "./GodControls.module.css";

const words = members.god;

const faultOfReason = (value: string): string | undefined =>
  faultOf(value.trim(), RULES.reason, { missing: words.missing, short: words.short, long: words.long });

interface GodDialogProps {
  act: Act;
  onClose: () => void;
  onDone: (text: string) => void;
}

/** Asks why before it is done: the reason stands in the ledger. */
export default function GodDialog({ act, onClose, onDone }: GodDialogProps) {
  const reset = useWrite(RESET_TO_TRIAL);
  const end = useWrite(END_PLAN);
  const { send, pending, trouble } = act === "reset" ? reset : end;
  const form = useForm({ defaultValues: { reason: "" } });
  const submit = form.handleSubmit(async ({ reason }) => {
    const { answer } = await send({ reason: reason.trim() });
    if (!answer) return;
    onClose();
    onDone(act === "reset" ? words.resetDone : words.endDone);
  });
  return (
    <Dialog title={words[act]} onClose={onClose}>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <p className="small muted">{act === "reset" ? words.resetText : words.endText}</p>
        <Field
          {...form.register("reason", { validate: (value) => faultOfReason(value) ?? true })}
          label={words.reason}
          required
          data-first=""
          autoComplete="off"
          maxLength={RULES.reason.maxLen}
          hint={words.reasonHint}
          error={form.formState.errors.reason?.message}
        />
        {trouble ? <ErrorNote message={words.failed(trouble.message)} /> : null}
        <DialogActions>
          <Button look="quiet" onClick={onClose}>
            {words.not}
          </Button>
          <Button look={act === "end" ? "danger" : "primary"} type="submit" pending={pending}>
            {words[act]}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
