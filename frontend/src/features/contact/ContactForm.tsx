import { useEffect, useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { contact as copy } from "@/copy/contact";
import { SendMessageRequestRules as RULES } from "@/gen/serein/web/v1/contact_rules";
import { useLocation } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Field, FieldRow, TextArea } from "@/ui/Field";
import { takeFilled } from "@/ui/form/filled";
import { faultOf } from "@/ui/form/rules";
import { showFocus } from "@/ui/form/show-focus";
import { Icon } from "@/ui/Icon";
import { Note } from "@/ui/States";
import css from "./Contact.module.css";
import type { Letter } from "./draft";
import { EMPTY, keepLetter, readLetter } from "./draft";
import type { Sending } from "./useSending";
import { useSending } from "./useSending";

const { missing, long } = copy;
const NAMES = ["name", "email", "phone", "message"] as const;

/** What is wrong with each answer, by the contract's own rules. */
const CHECKS: Record<keyof Letter, (value: string) => string | undefined> = {
  name: (v) => faultOf(v, RULES.name, { missing: missing.name, long }),
  email: (v) => faultOf(v, RULES.email, { missing: missing.email, long, shape: copy.emailShape }),
  phone: (v) => faultOf(v, RULES.phone, { long }),
  message: (v) => faultOf(v, RULES.message, { missing: missing.message, long }),
};

const trimmed = ({ name, email, phone, message }: Letter): Letter => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim(),
  message: message.trim(),
});

/** The plan names that a link may carry: the author of a link must not be able to write text into a member's letter. */
const PLAN = /^[\p{L}\p{N}][\p{L}\p{N} '’&-]{0,39}$/u;

/** How the letter begins where the address names a plan that is asked about; else "". */
function useOpening(): string {
  const plan = new URLSearchParams(useLocation().search).get("plan") ?? "";
  return PLAN.test(plan) ? copy.aboutPlan(plan) : "";
}

/** A letter that was begun goes on, with the plan in its first line. */
const withOpening = (opening: string, message: string): string =>
  !opening || message.includes(opening) ? message : [opening, message].filter(Boolean).join("\n\n");

/** The form, and what the browser alone knows: a letter that was begun, who is signed in, and what it is about. */
function useLetter() {
  const member = useMember();
  const opening = useOpening();
  const form = useForm<Letter>({ defaultValues: EMPTY });
  const uid = member?.uid ?? "";
  const own = [member?.givenName, member?.familyName].filter(Boolean).join(" ");
  const email = member?.email ?? "";
  const { getValues, setValue, reset } = form;
  const shownTo = useRef(uid);
  useEffect(() => {
    const kept = readLetter(uid);
    // Signing out drops what was written, and it goes from here too; a session that ended keeps it.
    if (shownTo.current && !uid && kept === EMPTY) reset(EMPTY);
    shownTo.current = uid;
    const message = withOpening(opening, kept.message);
    const known = { ...kept, name: kept.name || own, email: kept.email || email, message };
    // What was typed before the app came stays.
    for (const name of NAMES) if (!getValues(name)) setValue(name, known[name]);
  }, [uid, own, email, opening, getValues, setValue, reset]);
  return { form, uid };
}

function Label({ at }: { at: Sending["at"] }) {
  if (at === "sending") return copy.sending;
  if (at !== "sent") return copy.send;
  return (
    <>
      <Icon name="tick" />
      {copy.sent}
    </>
  );
}

/** Writes one letter to us. */
export function ContactForm() {
  const { form, uid } = useLetter();
  const { state, send, begin } = useSending();
  const { errors } = form.formState;
  const letter = trimmed({ ...EMPTY, ...useWatch({ control: form.control }) });
  const empty = !letter.name || !letter.email || !letter.message;

  const field = (name: keyof Letter) => ({
    ...form.register(name, {
      validate: (value) => CHECKS[name](value.trim()) ?? true,
      onChange: () => {
        if (state.at !== "sending") begin();
        // Taken away only when the field is left, it would move the button from under the press.
        if (errors[name]) void form.trigger(name);
      },
      // An answer that was begun is looked at when it is left; an empty one only when the form is sent.
      onBlur: (event: { target: { value: string } }) => {
        if (event.target.value) void form.trigger(name);
      },
    }),
    required: name !== "phone",
    error: errors[name]?.message,
    // What is on its way is not changed.
    readOnly: state.at === "sending",
  });
  const submit = form.handleSubmit(async (answers) => {
    const end = await send(trimmed(answers));
    if (end?.at === "sent") form.reset(EMPTY);
    if (end?.at === "failed" && end.field)
      form.setError(end.field, { message: end.why }, { shouldFocus: true });
  }, showFocus);
  // In the order of the form: the first of them with a fault takes the focus.
  const name = field("name");
  const phone = field("phone");
  const email = field("email");
  const message = field("message");
  const phoneLabel = (
    <>
      {copy.phone} <span className={css.optional}>{copy.optional}</span>
    </>
  );
  return (
    <form
      className={css.form}
      aria-label={copy.form}
      noValidate
      onSubmit={(event) => {
        takeFilled(event);
        void submit(event);
      }}
      onChange={() => keepLetter(uid, form.getValues())}
    >
      <FieldRow>
        <Field {...name} label={copy.name} autoComplete="name" />
        <Field {...phone} label={phoneLabel} type="tel" autoComplete="tel" inputMode="tel" />
      </FieldRow>
      <Field {...email} label={copy.email} type="email" autoComplete="email" inputMode="email" />
      <TextArea {...message} label={copy.message} rows={5} className={css.message} />
      {state.at === "failed" && !state.field ? <Note tone="danger">{state.why}</Note> : null}
      <div role="status" className={css.status}>
        {state.at === "sent" ? <Note icon="mail">{copy.sentNote(state.email)}</Note> : null}
      </div>
      <Button
        look="primary"
        wide
        type="submit"
        className={css.send}
        pending={state.at === "sending"}
        unavailable={state.at === "sent" || empty}
      >
        <Label at={state.at} />
      </Button>
    </form>
  );
}
