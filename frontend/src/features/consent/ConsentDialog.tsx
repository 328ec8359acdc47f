import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { consents as words } from "@/copy/consents";
import { errors } from "@/copy/errors";
import { toUserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import { useTermsShown } from "@/data/terms";
import type { Consents } from "@/gen/serein/web/v1/account_pb";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { useApp } from "@/lib/app";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Loader } from "@/ui/Marks";
import { ErrorNote } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import css from "./ConsentDialog.module.css";
import { Choice } from "./Choice";
import type { Answers } from "./draft";
import { agreedToOthers, draft, firstAnswers } from "./draft";
import { UPDATE_CONSENTS } from "./writes";

const NEEDED = ["essentials", "terms"] as const;
const EXTRAS = ["analytics", "marketing"] as const;

interface DialogProps {
  /** Absent while essentials or terms are missing: then there is no way past it. */
  onClose?: (() => void) | undefined;
}

/** Asks for what is needed and offers what is not. What is not is on only where the member says so. */
export function ConsentDialog({ onClose }: DialogProps) {
  const { data, error, refetch } = useQuery(ConsentService.method.getConsents, {});
  const trouble = error && toUserError(error);
  const close = onClose && (() => (draft.set(null), onClose()));
  const { shown } = useTermsShown();
  const again = !onClose && agreedToOthers(data?.consents, shown);
  const first = again ? words.again : words.first;
  return (
    <Dialog title={onClose || !data ? words.title : first} onClose={close}>
      {trouble ? <ErrorNote message={trouble.message} onRetry={() => void refetch()} /> : null}
      {!data && !trouble ? <Loader label={words.loading} /> : null}
      {data ? (
        <Form given={data.consents} lead={again ? words.againLead : words.lead} onDone={onClose} />
      ) : null}
      {data || onClose ? null : <Leave />}
    </Dialog>
  );
}

/** Where the choices are found again, and the way out for those who do not agree. */
function Leave() {
  const { signOut } = useApp();
  return (
    <p className={css.needed}>
      {words.later}
      {words.required}
      {words.orLeave}
      <TextButton onClick={() => void signOut()}>{words.signOut}</TextButton>.
    </p>
  );
}

interface FormProps {
  given: Consents | undefined;
  lead: string;
  onDone: (() => void) | undefined;
}

function Form({ given, lead, onDone }: FormProps) {
  const uid = useMember()?.uid ?? "";
  const { send, pending, trouble } = useWrite(UPDATE_CONSENTS);
  const { shown, ask } = useTermsShown();
  const [termsAway, setTermsAway] = useState(false);
  const [asked, setAsked] = useState(false);
  const { register, control, handleSubmit, getValues, setValue, setFocus } = useForm<Answers>({
    defaultValues: firstAnswers(uid, given, shown),
  });
  const on = useWatch({ control, name: NEEDED });
  const missing = NEEDED.filter((_, i) => !on[i]);
  const [firstMissing] = missing;
  const submit = handleSubmit(async (answers) => {
    const termsVersion = await ask();
    setTermsAway(!termsVersion);
    if (!termsVersion) return;
    const sent = await send({ consents: { ...answers, termsVersion } });
    if (!sent.trouble) onDone?.();
  });
  /** Names what is missing, and leads there. */
  const point = () => {
    setAsked(true);
    if (firstMissing) setFocus(firstMissing);
  };
  const answer = (extras: boolean) => {
    for (const name of NEEDED) setValue(name, true);
    for (const name of EXTRAS) setValue(name, extras);
    draft.set({ uid, shown, answers: getValues() });
    void submit();
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => void submit(event)}
      onChange={() => draft.set({ uid, shown, answers: getValues() })}
    >
      <p className="muted">{lead}</p>
      <div className={css.choices}>
        <Choice {...register("essentials")} label={words.essentials.label} needed>
          {words.essentials.text}
        </Choice>
        <Choice {...register("terms")} label={words.terms.label} needed>
          {words.terms.text}
          <Link to={paths.terms}>{words.terms.terms}</Link>
          {words.terms.and}
          <Link to={paths.privacy}>{words.terms.privacy}</Link>.
        </Choice>
        <Choice {...register("analytics")} label={words.analytics.label}>
          {words.analytics.text}
        </Choice>
        <Choice {...register("marketing")} label={words.marketing.label}>
          {words.marketing.text}
        </Choice>
      </div>
      {termsAway ? <ErrorNote message={errors.termsAway} /> : null}
      {trouble && !termsAway ? <ErrorNote message={trouble.message} /> : null}
      {asked && firstMissing ? (
        <ErrorNote message={words.missing(missing.map((name) => words[name].label))} />
      ) : null}
      <div className={css.foot}>
        <div className={css.both}>
          <Button className={css.half} onClick={() => answer(false)}>
            {words.onlyNeeded}
          </Button>
          <Button className={css.half} onClick={() => answer(true)}>
            {words.acceptAll}
          </Button>
        </div>
        <Button
          look="primary"
          wide
          type="submit"
          pending={pending}
          unavailable={missing.length > 0}
          onUnavailable={point}
          aria-describedby="consents-needed"
        >
          {words.update}
        </Button>
      </div>
      <div id="consents-needed">{onDone ? <p className={css.needed}>{words.required}</p> : <Leave />}</div>
    </form>
  );
}
