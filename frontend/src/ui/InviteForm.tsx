import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { invite as words } from "@/copy/invite";
import type { Reason } from "@/gen/serein/errors/v1/reason_pb";
import { InviteFriendRequestRules as RULES } from "@/gen/serein/web/v1/membership_rules";
import { Button } from "./Button";
import { classes } from "./classes";
import { Field } from "./Field";
import { faultOf } from "./form/rules";
import { Icon } from "./Icon";
import css from "./InviteForm.module.css";
import { Note } from "./States";

const { long } = words;

interface Friend {
  name: string;
  email: string;
}

/** Why a letter was not sent: the contract's reason, a sentence for the member, and the faulty field of the form; "" for none. */
interface Refusal {
  reason: keyof typeof Reason | "";
  message: string;
  field: string;
}

/** Sends the letter. `useInvite` of data/invite.ts has this shape. */
export interface Invite {
  /** Never rejects. */
  send: (friend: Friend) => Promise<{ trouble: Refusal | null }>;
  pending: boolean;
}

const EMPTY: Friend = { name: "", email: "" };

/** What is wrong with each answer, by the contract's own rules. */
const CHECKS: Record<keyof Friend, (value: string) => string | undefined> = {
  name: (v) => faultOf(v, RULES.name, { long }),
  email: (v) => faultOf(v, RULES.email, { missing: words.missing, long, shape: words.emailShape }),
};

/** How long it is said that it was sent. */
const SENT_MS = 5000;

/** Why it was not sent, in words that say what can be done. */
function reasonOf({ reason, message }: Refusal): string {
  if (!navigator.onLine) return words.offline;
  if (reason === "LETTERS_LIMIT") return words.enough;
  return reason === "TOO_MANY_REQUESTS" ? words.soon(message) : words.failed;
}

/** What became of the last invitation; that it was sent is said for a while. */
function useOutcome() {
  const [sent, setSent] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(() => setSent(false), SENT_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  const begin = () => {
    setSent(false);
    setFault("");
  };
  return { sent, fault, setSent, setFault, begin };
}

function Label({ pending, sent }: { pending: boolean; sent: boolean }) {
  if (pending) return words.sending;
  if (!sent) return words.send;
  return (
    <>
      <Icon name="tick" />
      {words.sent}
    </>
  );
}

interface InviteFormProps {
  invite: Invite;
  className?: string | undefined;
}

/** Sends one friend the invitation by letter. */
export function InviteForm({ invite: { send, pending }, className }: InviteFormProps) {
  const { sent, fault, setSent, setFault, begin } = useOutcome();
  const form = useForm<Friend>({ defaultValues: EMPTY });
  const { errors } = form.formState;
  const email = useWatch({ control: form.control, name: "email" });

  const field = (name: keyof Friend) => ({
    ...form.register(name, {
      validate: (value) => CHECKS[name](value.trim()) ?? true,
      onChange: () => {
        begin();
        // Taken away only when the field is left, it would move the button from under the press.
        if (errors[name]) void form.trigger(name);
      },
      // An answer that was begun is looked at when it is left; an empty one only when the form is sent.
      onBlur: (event: { target: { value: string } }) => {
        if (event.target.value) void form.trigger(name);
      },
    }),
    error: errors[name]?.message,
    autoComplete: "off",
    // What is on its way is not changed.
    readOnly: pending,
  });
  const submit = form.handleSubmit(async (friend) => {
    begin();
    const { trouble } = await send({ name: friend.name.trim(), email: friend.email.trim() });
    if (!trouble) {
      form.reset(EMPTY);
      return setSent(true);
    }
    if (trouble.field !== "email") return setFault(reasonOf(trouble));
    form.setError("email", { message: trouble.message }, { shouldFocus: true });
  });
  // In the order of the form: the first of them with a fault takes the focus.
  const name = field("name");
  const address = field("email");
  return (
    <form
      className={classes(css.form, className)}
      aria-label={words.form}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <Field {...name} label={words.friend} />
      <Field {...address} label={words.email} type="email" inputMode="email" required />
      {fault ? <Note tone="danger">{fault}</Note> : null}
      <div role="status" className={css.sent}>
        {sent ? <Note icon="mail">{words.sentNote}</Note> : null}
      </div>
      <Button look="primary" wide type="submit" pending={pending} unavailable={sent || !email.trim()}>
        <Label pending={pending} sent={sent} />
      </Button>
    </form>
  );
}
