import { useQuery } from "@connectrpc/connect-query";
import type { ComponentProps } from "react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { members } from "@/copy/members";
import { SET_LETTERS } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import type { Letters as Wished } from "@/gen/serein/web/v1/membership_pb";
import { preferencesOpen } from "@/lib/account-panel";
import { Button } from "@/ui/Button";
import { ErrorNote, Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import css from "./Privacy.module.css";

const words = members.privacy;

function Check({ label, text, ...rest }: ComponentProps<"input"> & { label: string; text: string }) {
  return (
    <label className={css.check}>
      <span>
        {label}
        <small>{text}</small>
      </span>
      <input type="checkbox" {...rest} />
    </label>
  );
}

/** Whether nothing is written of credits that run low, which is marketing. While the consent cannot be asked for, nobody says so. */
function useNoMarketing(): boolean {
  const { data } = useQuery(ConsentService.method.getConsents, {});
  return data !== undefined && !data.consents?.marketing;
}

/** Which letters one would like, besides those that are about what one buys. */
export function Letters({ letters: { reminders, rewards, suppressed } }: { letters: Wished }) {
  const partly = useNoMarketing();
  const { send, pending, trouble, forget } = useWrite(SET_LETTERS);
  const [kept, keep] = useState(false);
  const form = useForm({ defaultValues: { reminders, rewards } });
  const submit = form.handleSubmit(async (wished) => {
    if (kept) return;
    const { answer } = await send({ letters: wished });
    keep(answer !== null);
  });
  const begin = () => {
    forget();
    keep(false);
  };
  return (
    <form className={css.letters} onChange={begin} onSubmit={(event) => void submit(event)}>
      {suppressed ? (
        <div className={css.note}>
          <Note tone="brass">{words.suppressed}</Note>
        </div>
      ) : null}
      <Check
        {...form.register("reminders")}
        label={words.reminders}
        text={partly ? words.remindersPartly : words.remindersText}
      />
      {partly ? (
        <p>
          <TextButton onClick={() => preferencesOpen.set(true)}>{words.remindersAgree}</TextButton>
        </p>
      ) : null}
      <Check {...form.register("rewards")} label={words.rewards} text={words.rewardsText} />
      {trouble ? <ErrorNote message={words.failed(trouble.message)} /> : null}
      <p className={css.save}>
        <Button look="primary" small type="submit" pending={pending}>
          {words.update}
        </Button>
        <span role="status">{kept ? words.updated : ""}</span>
      </p>
    </form>
  );
}
