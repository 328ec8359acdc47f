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
import type { Payment } from "./payment";
import { AMOUNT, PRETENDED } from "./payment";
import css from "./TestPayment.module.css";

const faultIn = (email: string) =>
  faultOf(email.trim(), RULES.email, { missing: copy.missing, long: copy.long, shape: copy.shape });

/** Why it failed, in words; "" where it was paid. */
async function run(payment: Payment, email: string): Promise<string> {
  try {
    await payment.prepare();
  } catch {
    return copy.failed;
  }
  try {
    await payment.pay(email);
    return "";
  } catch {
    return copy.unexpected;
  }
}

function usePaying(payment: Payment) {
  const [pending, setPending] = useState(false);
  const [end, setEnd] = useState<string | null>(null);
  const pay = async (email: string) => {
    setPending(true);
    setEnd(null);
    const why = await run(payment, email);
    setPending(false);
    setEnd(why);
    if (!why) toast(copy.paid);
  };
  return { pending, end, pay };
}

/** A trial run of paying: it makes no real call, and says so. */
export function TestPayment({ payment = PRETENDED }: { payment?: Payment }) {
  const { pending, end, pay } = usePaying(payment);
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
          type="email"
          required
          autoComplete="email"
          inputMode="email"
          readOnly={pending}
          error={form.formState.errors.email?.message}
        />
        <Field label={copy.amount} readOnly value={formatMoney(AMOUNT)} />
        {end ? <Note tone="danger">{end}</Note> : null}
        <div role="status">{end === "" ? <Note icon="tick">{copy.paid}</Note> : null}</div>
        <Button look="primary" wide type="submit" pending={pending}>
          {pending ? copy.paying : copy.pay}
        </Button>
      </form>
    </div>
  );
}
