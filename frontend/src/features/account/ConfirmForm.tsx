import { useState } from "react";
import { useForm } from "react-hook-form";
import { account } from "@/copy/account";
import { useWrite } from "@/data/mutation";
import { ConfirmSignUpRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import type { OpenPanel } from "@/lib/account-panel";
import { useAccountPanel } from "@/lib/account-panel";
import { CONFIRMED_KEY, signIn } from "@/lib/sign-in";
import { remember } from "@/lib/storage";
import { tellTabs } from "@/lib/tell-tabs";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { ErrorNote, Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import css from "./AccountPanel.module.css";
import { fieldOf } from "./fields";
import { forgetInvite } from "./invite";
import { Resend } from "./Resend";
import { CONFIRM } from "./writes";

const words = account.confirm;

const usernameFault = (value: string): string | undefined =>
  faultOf(value.trim(), RULES.username, {
    missing: account.missing.yourUsername,
    short: account.short(account.aUsername),
    long: account.long(account.aUsername),
    shape: account.usernameShape,
  });

interface Answers {
  username: string;
  code: string;
}

/** The code out of the mail. Without a good username in the address it asks for that as well. */
export function ConfirmForm({
  username,
  email,
  heldBack,
}: Pick<OpenPanel, "username" | "email" | "heldBack">) {
  const panel = useAccountPanel();
  const { send, pending } = useWrite(CONFIRM);
  const [trouble, setTrouble] = useState("");
  const [resent, setResent] = useState(false);
  const form = useForm<Answers>({ defaultValues: { username, code: "" } });
  const { errors } = form.formState;
  const known = usernameFault(username) === undefined;

  const submit = form.handleSubmit(async (answers) => {
    setTrouble("");
    const who = answers.username.trim();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { answer, trouble: refused } = await send({ username: who, code: answers.code.trim(), timeZone });
    if (!refused) {
      forgetInvite();
      remember("sessionStorage", CONFIRMED_KEY, "yes");
      // This browser has given the password before: the panel closes with the session.
      if (answer.signedIn) return tellTabs({ type: "signed-in" });
      panel.toDone(who, "confirmed");
      return signIn(who, panel.returnTo);
    }
    const message = refused.message || account.confirmFailed;
    if (fieldOf(refused) === "code") form.setError("code", { message }, { shouldFocus: true });
    else setTrouble(message);
  });
  const onSent = (problem: string) => {
    setTrouble(problem);
    setResent(!problem);
  };

  return (
    <>
      <p className={css.title}>{words.title}</p>
      {/* Who follows a mail's link must see whose account it is: it may not be one of theirs. */}
      {username ? (
        <p className={css.account}>
          <span>{words.account}</span> {username}
        </p>
      ) : null}
      <p className={css.lead} role="status">
        {heldBack ? words.heldBack : `${words.check} ${words.sentTo(email)}`}
      </p>
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        {known ? null : (
          <Field
            {...form.register("username", { validate: (v) => usernameFault(v) ?? true })}
            label={account.create.username}
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.username?.message}
          />
        )}
        <Field
          {...form.register("code", {
            validate: (v) => faultOf(v.trim(), RULES.code, { missing: account.missing.code }) ?? true,
          })}
          label={words.code}
          required
          className={css.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={32}
          hint={words.codeHint}
          error={errors.code?.message}
          // The mail is open beside this page: the code can be typed at once, whether the dialog opens with this
          // step or comes to it.
          data-first={known ? "" : undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={known}
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
        <p className={css.row}>
          <Resend
            waits={email !== "" && !heldBack}
            username={() =>
              usernameFault(form.getValues("username")) ? "" : form.getValues("username").trim()
            }
            onMissing={() => void form.trigger("username", { shouldFocus: true })}
            onSent={onSent}
          />
          <TextButton onClick={panel.toSignUp}>{words.other}</TextButton>
        </p>
      </form>
      <p className={css.other}>
        {words.already}{" "}
        <TextButton onClick={() => signIn(form.getValues("username").trim(), panel.returnTo)}>
          {account.create.signIn}
        </TextButton>
      </p>
    </>
  );
}
