import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Link } from "@/lib/router";
import { account } from "@/copy/account";
import { errors as sentences } from "@/copy/errors";
import { useWrite } from "@/data/mutation";
import { useTermsShown } from "@/data/terms";
import { SignUpRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useTrialOffer } from "@/lib/session";
import { CONFIRMED_KEY, signIn } from "@/lib/sign-in";
import { remember } from "@/lib/storage";
import { Button } from "@/ui/Button";
import { Tick } from "@/ui/Choice";
import { Field, FieldError, FieldRow } from "@/ui/Field";
import { ErrorSummary } from "@/ui/form/ErrorSummary";
import { takeFilled } from "@/ui/form/filled";
import { NewPasswordField } from "@/ui/form/PasswordField";
import { faultOf } from "@/ui/form/rules";
import { showFocus } from "@/ui/form/show-focus";
import { ErrorNote, Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import css from "./AccountPanel.module.css";
import { codeSent } from "./code-sent";
import { keepDraft, readDraft } from "./draft";
import type { Answers } from "./fields";
import { fieldOf } from "./fields";
import type { Invite } from "./invite";
import { forgetInvite, useInvite } from "./invite";
import { usePlanOfLink } from "./plan-of-link";
import { SIGN_UP } from "./writes";

const words = account.create;
const { missing } = account;

/** What is wrong with each answer, by the rules of the contract. */
const CHECKS: { [F in keyof Answers]: (value: Answers[F]) => string | undefined } = {
  givenName: (v) =>
    faultOf(v.trim(), RULES.givenName, { missing: missing.givenName, long: account.long(account.aName) }),
  familyName: (v) =>
    faultOf(v.trim(), RULES.familyName, { missing: missing.familyName, long: account.long(account.aName) }),
  email: (v) =>
    faultOf(v.trim(), RULES.email, {
      missing: missing.email,
      long: account.long(account.anEmail),
      shape: account.emailShape,
    }),
  username: (v) =>
    faultOf(v.trim(), RULES.username, {
      missing: missing.username,
      short: account.short(account.aUsername),
      long: account.long(account.aUsername),
      shape: account.usernameShape,
    }),
  password: (v) =>
    faultOf(v, RULES.password, {
      missing: missing.password,
      short: account.short(account.aPassword),
      long: account.long(account.aPassword),
    }),
  ageConfirmed: (v) => (v ? undefined : missing.ageConfirmed),
};

const LABELS: Record<keyof Answers, string> = {
  givenName: words.firstName,
  familyName: words.familyName,
  email: words.email,
  username: words.username,
  password: words.password,
  ageConfirmed: words.age,
};

/** The membership that a link named, as far as it is known. */
function OfPlan() {
  const plan = usePlanOfLink();
  if (plan.is !== "known" && plan.is !== "unknown") return null;
  return (
    <Note icon={plan.is === "known" ? "card" : "alert"} role="status">
      {plan.is === "known" ? words.forPlan(plan.name) : words.notSold}
    </Note>
  );
}

/** What one gets, as far as the invitation is known. */
function Lead({ invite }: { invite: Invite }) {
  const offer = useTrialOffer();
  const says = {
    known: words.invited,
    unknown: words.notInvited,
    none: words.lead,
    "not yet known": words.lead,
  };
  return (
    <p className={css.lead} role={invite === "none" ? undefined : "status"}>
      {says[invite](offer)}
    </p>
  );
}

export function SignUpForm() {
  const { code, invite } = useInvite();
  const panel = useAccountPanel();
  const { send, pending } = useWrite(SIGN_UP);
  const terms = useTermsShown();
  const [trouble, setTrouble] = useState("");
  const [defaultValues] = useState(readDraft);
  const form = useForm<Answers>({ defaultValues, reValidateMode: "onChange" });
  const { errors } = form.formState;
  const typed = useWatch({ control: form.control, name: "password" });

  const field = <F extends keyof Answers>(name: F) => ({
    ...form.register(name, {
      validate: (value) => CHECKS[name](value as Answers[F]) ?? true,
      // An answer that was begun is looked at when it is left; an empty one only when the form is sent.
      onBlur: (event: { target: { value: unknown } }) => {
        if (event.target.value && name !== "ageConfirmed") void form.trigger(name);
      },
    }),
    required: true,
    error: errors[name]?.message,
  });

  const submit = form.handleSubmit(async (answers) => {
    setTrouble("");
    const termsVersion = await terms.ask();
    if (!termsVersion) return setTrouble(sentences.termsAway);
    const name = answers.username.trim();
    const address = answers.email.trim();
    const { answer, trouble: refused } = await send({
      username: name,
      email: address,
      givenName: answers.givenName.trim(),
      familyName: answers.familyName.trim(),
      password: answers.password,
      ageConfirmed: answers.ageConfirmed,
      termsVersion,
      invite: code,
    });
    if (!refused) {
      keepDraft(null);
      if (!answer.userConfirmed) {
        if (!answer.codeHeldBack) codeSent();
        return panel.toConfirm(name, address, answer.codeHeldBack);
      }
      forgetInvite();
      remember("sessionStorage", CONFIRMED_KEY, "yes");
      return panel.toDone(name, "without code");
    }
    const about = fieldOf(refused);
    const message = refused.message || account.signupFailed;
    if (about && about !== "code") form.setError(about, { message }, { shouldFocus: true });
    else setTrouble(message);
  }, showFocus);

  const faults = form.formState.isSubmitted
    ? Object.keys(LABELS)
        .filter((name): name is keyof Answers => name in errors)
        .map((name) => ({ label: LABELS[name], focus: () => form.setFocus(name) }))
    : [];
  // In the order of the form: the first of them with a fault takes the focus.
  const givenName = field("givenName");
  const familyName = field("familyName");
  const email = field("email");
  const username = field("username");
  const password = field("password");
  const { error: ageError, ...age } = field("ageConfirmed");
  return (
    <>
      <p className={css.title}>{words.title}</p>
      <Lead invite={invite} />
      <OfPlan />
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          takeFilled(event);
          void submit(event);
        }}
        onChange={() => keepDraft(form.getValues())}
      >
        <FieldRow>
          <Field {...givenName} label={words.firstName} data-first autoComplete="given-name" />
          <Field {...familyName} label={words.familyName} autoComplete="family-name" />
        </FieldRow>
        <Field {...email} label={words.email} type="email" autoComplete="email" />
        <Field
          {...username}
          label={words.username}
          hint={words.usernameHint(RULES.username.minLen, RULES.username.maxLen)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <NewPasswordField {...password} label={words.password} typed={typed} min={RULES.password.minLen} />
        <div>
          <Tick
            {...age}
            aria-invalid={ageError ? true : undefined}
            aria-describedby={ageError ? "age-error" : undefined}
          >
            {words.age}
          </Tick>
          {ageError ? <FieldError id="age-error">{ageError}</FieldError> : null}
        </div>
        <ErrorSummary title={words.faults(faults.length)} faults={faults} />
        {trouble ? <ErrorNote message={trouble} /> : null}
        <Button look="primary" wide type="submit" pending={pending}>
          {words.submit}
        </Button>
        <p className={css.legal}>
          {words.legal}
          <Link to={paths.terms}>{words.legalLink}</Link>.
        </p>
      </form>
      <p className={css.other}>
        {words.already}{" "}
        <TextButton onClick={() => signIn(undefined, panel.returnTo)}>{words.signIn}</TextButton>
      </p>
    </>
  );
}
