import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { ChangeNameRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { Field, FieldRow } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { CHANGE_NAME } from "./credentials";
import { FormDialog } from "@/ui/FormDialog";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.name;
const { long } = credentials;

const CHECKS = {
  givenName: (v: string) => faultOf(v.trim(), RULES.givenName, { missing: words.missing.given, long }),
  familyName: (v: string) => faultOf(v.trim(), RULES.familyName, { missing: words.missing.family, long }),
};

interface NameDialogProps {
  credentials: Credentials;
  onClose: () => void;
  onDone: (text: string) => void;
}

/** Changes what the member is called. */
export function NameDialog({ credentials: mine, onClose, onDone }: NameDialogProps) {
  const { send, pending } = useWrite(CHANGE_NAME);
  const { field, submit, trouble } = useTextForm({
    begin: { givenName: mine.givenName, familyName: mine.familyName },
    checks: CHECKS,
    failed: words.failed,
    lost: words.lost,
  });
  const save = submit(async ({ givenName, familyName }) => {
    const sent = await send({ givenName: givenName.trim(), familyName: familyName.trim() });
    if (!sent.answer) return sent.trouble;
    onClose();
    onDone(words.changed);
    return null;
  });
  // In the order of the form: the first of them with a fault takes the focus.
  const given = field("givenName");
  const family = field("familyName");
  return (
    <FormDialog
      title={words.title}
      lead={words.lead}
      action={words.save}
      pending={pending}
      trouble={trouble}
      onSubmit={save}
      onClose={onClose}
    >
      <FieldRow>
        <Field {...given} label={words.given} data-first="" autoComplete="given-name" readOnly={pending} />
        <Field {...family} label={words.family} autoComplete="family-name" readOnly={pending} />
      </FieldRow>
    </FormDialog>
  );
}
