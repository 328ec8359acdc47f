import type { FormEvent } from "react";
import { useState } from "react";
import { Link } from "react-router";
import { account } from "@/copy/account";
import { toTrouble } from "@/data/errors";
import { accountPanel, closeAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Field, FieldError } from "@/ui/Field";
import { ErrorNote } from "@/ui/States";
import { signUp } from "./calls";
import type { Faults } from "./form";
import { fieldOf, findFaults, focusFault, readForm } from "./form";
import { strength } from "./strength";

const words = account.create;

/** Shows what was typed, for those who cannot type blind. */
function Password({ error }: { error: string | undefined }) {
  const [shown, show] = useState(false);
  const [typed, setTyped] = useState("");
  const eye = (
    <button
      type="button"
      aria-label={shown ? words.hidePassword : words.showPassword}
      onClick={() => show(!shown)}
    >
      {shown ? words.hide : words.show}
    </button>
  );
  const meter = (
    <span className="strength" aria-hidden="true">
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} className={strength(typed) >= bar ? "on" : undefined} />
      ))}
    </span>
  );
  return (
    <Field
      label={words.password}
      name="password"
      type={shown ? "text" : "password"}
      autoComplete="new-password"
      onChange={(event) => setTyped(event.target.value)}
      hint={
        <>
          {meter}
          {words.passwordHint}
        </>
      }
      error={error}
      after={eye}
    />
  );
}

function Age({ error }: { error: string | undefined }) {
  return (
    <div className="field">
      <label className="tick">
        <input
          type="checkbox"
          name="age_confirmed"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "age-error" : undefined}
        />
        {words.age}
      </label>
      {error ? <FieldError id="age-error">{error}</FieldError> : null}
    </div>
  );
}

export function SignUpForm() {
  const [faults, setFaults] = useState<Faults>({});
  const [trouble, setTrouble] = useState("");
  const [pending, setPending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = readForm(new FormData(form));
    const found = findFaults(answers);
    setFaults(found);
    setTrouble("");
    if (Object.keys(found).length) return void focusFault(form);
    setPending(true);
    try {
      const username = answers.username.trim();
      if (await signUp(answers)) accountPanel.set({ face: "done", username, confirmed: false });
      else accountPanel.set({ face: "confirm", username, email: answers.email.trim() });
    } catch (cause) {
      const problem = toTrouble(cause);
      const message = problem.message || account.signupFailed;
      const field = fieldOf(problem);
      if (field) setFaults({ [field]: message });
      else setTrouble(message);
      focusFault(form);
    } finally {
      setPending(false);
    }
  };

  return (
    <>
      <p className="su__title">{words.title}</p>
      <p className="muted">{words.lead}</p>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="two">
          <Field
            label={words.firstName}
            name="given_name"
            data-first
            autoComplete="given-name"
            error={faults.given_name}
          />
          <Field
            label={words.familyName}
            name="family_name"
            autoComplete="family-name"
            error={faults.family_name}
          />
        </div>
        <Field label={words.email} name="email" type="email" autoComplete="email" error={faults.email} />
        <Field
          label={words.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={faults.username}
        />
        <Password error={faults.password} />
        <Age error={faults.age_confirmed} />
        {trouble ? <ErrorNote message={trouble} /> : null}
        <Button look="primary" wide type="submit" pending={pending}>
          {words.submit}
        </Button>
        <p className="legal">
          {words.legal}
          <Link to={paths.terms} onClick={closeAccountPanel}>
            {words.legalLink}
          </Link>
          .
        </p>
      </form>
      <p className="small muted su__other">
        {words.already}{" "}
        <button type="button" className="linkish" onClick={() => signIn()}>
          {words.signIn}
        </button>
      </p>
    </>
  );
}
