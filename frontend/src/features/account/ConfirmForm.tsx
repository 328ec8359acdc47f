import type { FormEvent } from "react";
import { useState } from "react";
import { account } from "@/copy/account";
import { toTrouble } from "@/data/errors";
import { accountPanel, openSignUp } from "@/lib/account-panel";
import { now, useSecond } from "@/lib/clock";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { ErrorNote, Note } from "@/ui/States";
import { confirmSignUp, resendCode } from "./calls";
import { fieldOf, focusFault, RESEND_AFTER_S } from "./form";

const words = account.confirm;

/** Asks for another code, once a minute at most. */
function Resend({ username, onSent }: { username: string; onSent: (trouble: string) => void }) {
  const [from, setFrom] = useState(() => Math.floor(now() / 1000));
  const wait = Math.max(0, from + RESEND_AFTER_S - useSecond());
  const resend = async () => {
    setFrom(Math.floor(now() / 1000));
    try {
      await resendCode(username);
      onSent("");
    } catch (cause) {
      onSent(toTrouble(cause).message);
    }
  };
  return (
    <button
      type="button"
      className="linkish"
      aria-disabled={wait > 0 || undefined}
      onClick={() => void (wait === 0 && resend())}
    >
      {wait > 0 ? words.resendIn(wait) : words.resend}
    </button>
  );
}

export function ConfirmForm({ username, email }: { username: string; email: string }) {
  const [fault, setFault] = useState("");
  const [trouble, setTrouble] = useState("");
  const [resent, setResent] = useState(false);
  const [pending, setPending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = String(new FormData(form).get("code") ?? "").replace(/\s/g, "");
    setTrouble("");
    setFault(code ? "" : account.missing.code);
    if (!code) return void focusFault(form);
    setPending(true);
    try {
      await confirmSignUp(username, code);
      accountPanel.set({ face: "done", username, confirmed: true });
      signIn(username);
    } catch (cause) {
      const problem = toTrouble(cause);
      const message = problem.message || account.confirmFailed;
      if (fieldOf(problem) === "code") setFault(message);
      else setTrouble(message);
      focusFault(form);
    } finally {
      setPending(false);
    }
  };
  const onSent = (problem: string) => {
    setTrouble(problem);
    setResent(!problem);
  };

  return (
    <>
      <p className="su__title">{words.title}</p>
      <p className="muted" role="status">
        {words.check} {words.sentTo(email)}
      </p>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={words.code}
          name="code"
          className="code-in"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          hint={words.codeHint}
          error={fault || undefined}
          // The mail is open beside this page: the code can be typed at once.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
        {trouble ? <ErrorNote message={trouble} /> : null}
        {resent ? (
          <Note icon="tick" role="status">
            {words.resent}
          </Note>
        ) : null}
        <Button look="primary" wide type="submit" pending={pending}>
          {words.submit}
        </Button>
        <p className="su__row">
          <Resend username={username} onSent={onSent} />
          <button type="button" className="linkish" onClick={openSignUp}>
            {words.other}
          </button>
        </p>
      </form>
    </>
  );
}
