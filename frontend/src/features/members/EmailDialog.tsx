import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { BeginAddressChangeRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { Field } from "@/ui/Field";
import { PasswordField } from "@/ui/form/PasswordField";
import { faultOf } from "@/ui/form/rules";
import { BEGIN_ADDRESS } from "./credentials";
import { FormDialog } from "@/ui/FormDialog";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.email;
const { long, password } = credentials;

const CHECKS = {
  email: (v: string) => faultOf(v.trim(), RULES.email, { missing: words.missing, long, shape: words.shape }),
  presentPassword: (v: string) =>
    faultOf(v, RULES.presentPassword, { missing: password.missing.present, long }),
};

interface EmailDialogProps {
  credentials: Credentials;
  onClose: () => void;
  /** The codes are on their way. */
  onSent: () => void;
}

/** Asks for another email: both mailboxes get a code. Sent again it replaces the codes that wait. */
export function EmailDialog({ credentials: mine, onClose, onSent }: EmailDialogProps) {
  const { send, pending } = useWrite(BEGIN_ADDRESS);
  const { field, submit, trouble } = useTextForm({
    begin: { email: mine.newEmail, presentPassword: "" },
    checks: CHECKS,
    failed: words.failed,
    lost: words.lost,
  });
  const begin = submit(async ({ email, presentPassword }) => {
    const sent = await send({ email: email.trim(), presentPassword });
    if (sent.trouble) return sent.trouble;
    onSent();
    return null;
  });
  const email = field("email");
  const present = field("presentPassword");
  return (
    <FormDialog
      title={words.title}
      lead={words.lead(mine.email)}
      action={words.send}
      pending={pending}
      trouble={trouble}
      onSubmit={begin}
      onClose={onClose}
    >
      <Field
        {...email}
        label={words.address}
        type="email"
        inputMode="email"
        data-first=""
        autoComplete="email"
        readOnly={pending}
      />
      <input type="text" autoComplete="username" value={mine.username} readOnly hidden />
      <PasswordField
        {...present}
        label={password.present}
        autoComplete="current-password"
        readOnly={pending}
      />
    </FormDialog>
  );
}
