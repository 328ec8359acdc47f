import { useState } from "react";
import { useForm } from "react-hook-form";
import { testPayment as copy } from "@/copy/test-payment";
import { SendMessageRequestRules as RULES } from "@/gen/serein/web/v1/contact_rules";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { showFocus } from "@/ui/form/show-focus";
import { PageHead } from "@/ui/PageHead";
import { Note } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import type { Outcome } from "./payment";
import { AMOUNT, DECLINED, pretend } from "./payment";
import css from "./TestPayment.module.css";

const faultIn = (email: string) =>
  faultOf(email.trim(), RULES.email, { missing: copy.missing, long: copy.long, shape: copy.shape });

function usePaying() {
  const [pending, setPending] = useState(false);
  const [end, setEnd] = useState<Outcome | null>(null);
  const pay = async (email: string) => {
    setPending(true);
    setEnd(null);
    const outcome = await pretend(email);
    setPending(false);
    setEnd(outcome);
    if (outcome === "paid") toast(copy.paid);
  };
  return { pending, end, pay };
}

/** A trial run of paying: it makes no real call, and says so. */
export function TestPayment() {
  const { pending, end, pay } = usePaying();
  const form = useForm({ defaultValues: { email: "" } });
  const email = form.register("email", { validate: (value) => faultIn(value) ?? true });
  const submit = form.handleSubmit((answers) => pay(answers.email.trim()), showFocus);
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      <form className={css.form} aria-label={copy.form} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          {...email}
          label={copy.email}
          hint={copy.emailHint(DECLINED)}
          type="email"
          required
          autoComplete="email"
          inputMode="email"
          readOnly={pending}
          error={form.formState.errors.email?.message}
        />
        <Field label={copy.amount} readOnly value={formatMoney(AMOUNT)} />
        {end && end !== "paid" ? <Note tone="danger">{copy[end]}</Note> : null}
        <div role="status">{end === "paid" ? <Note icon="tick">{copy.paid}</Note> : null}</div>
        <Button look="primary" wide type="submit" pending={pending}>
          {pending ? copy.paying : copy.pay}
        </Button>
      </form>
    </div>
  );
}
