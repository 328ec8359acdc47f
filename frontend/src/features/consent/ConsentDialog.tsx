import { useQuery } from "@connectrpc/connect-query";
import { useForm, useWatch } from "react-hook-form";
import { consents as words } from "@/copy/consents";
import { TERMS_VERSION } from "@/copy/texts";
import { toTrouble } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import type { Consents } from "@/gen/serein/web/v1/account_pb";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Loader } from "@/ui/Marks";
import { ErrorNote } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import css from "./ConsentDialog.module.css";
import { Choice } from "./Choice";
import { UPDATE_CONSENTS } from "./writes";

export interface Answers {
  essentials: boolean;
  terms: boolean;
  analytics: boolean;
  marketing: boolean;
}

interface DialogProps {
  /** Absent while essentials or terms are missing: then there is no way past it. */
  onClose?: (() => void) | undefined;
}

/** Asks for what is needed and offers what is not. Nothing is switched on that the member has not switched on. */
export function ConsentDialog({ onClose }: DialogProps) {
  const { data, error, refetch } = useQuery(ConsentService.method.getConsents, {});
  const trouble = error && toTrouble(error);
  return (
    <Dialog title={words.title} onClose={onClose}>
      {trouble ? <ErrorNote message={trouble.message} onRetry={() => void refetch()} /> : null}
      {!data && !trouble ? <Loader label={words.loading} /> : null}
      {data ? <Form given={data.consents} onDone={onClose} /> : null}
    </Dialog>
  );
}

function Form({ given, onDone }: { given: Consents | undefined; onDone: (() => void) | undefined }) {
  const { send, pending, trouble } = useWrite(UPDATE_CONSENTS);
  const { register, control, handleSubmit } = useForm<Answers>({
    defaultValues: {
      essentials: given?.essentials ?? false,
      // Agreed to is the text as it was: a newer one is asked for again.
      terms: given?.terms === true && given.termsVersion === TERMS_VERSION,
      analytics: given?.analytics ?? false,
      marketing: given?.marketing ?? false,
    },
  });
  const [essentials, terms] = useWatch({ control, name: ["essentials", "terms"] });
  const ready = essentials && terms;
  const submit = handleSubmit(async (answers) => {
    if (!ready) return;
    const sent = await send({ consents: { ...answers, termsVersion: TERMS_VERSION } });
    if (sent.trouble) return;
    toast(words.updated);
    onDone?.();
  });
  return (
    <form className={css.form} onSubmit={(event) => void submit(event)}>
      <p className="muted">{words.lead}</p>
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
      {trouble ? <ErrorNote message={trouble.message} /> : null}
      <Button
        look="primary"
        wide
        type="submit"
        pending={pending}
        unavailable={!ready}
        aria-describedby="consents-needed"
      >
        {words.update}
      </Button>
      <p className={css.needed} id="consents-needed">
        {words.required}
      </p>
    </form>
  );
}
