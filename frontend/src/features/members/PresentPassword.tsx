import { credentials } from "@/copy/credentials";
import type { UserError } from "@/data/errors";
import { BeginPasskeyRequestRules as RULES } from "@/gen/serein/web/v1/passkey_rules";
import { PasswordField } from "@/ui/form/PasswordField";
import { faultOf } from "@/ui/form/rules";
import { FormDialog } from "@/ui/FormDialog";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.password;

const CHECKS = {
  presentPassword: (v: string) =>
    faultOf(v, RULES.presentPassword, { missing: words.missing.present, long: credentials.long }),
};

/** What a dialog is given that changes a way in. */
export interface CredentialDialogProps {
  username: string;
  onClose: () => void;
  onDone: (text: string) => void;
}

interface PresentPasswordProps {
  username: string;
  title: string;
  lead: string;
  action: string;
  /** What is said where nothing was done, and where nobody knows. */
  failed: (why: string) => string;
  lost: string;
  pending: boolean;
  /** What else went wrong, in whole words; "" for nothing. */
  fault?: string;
  /** Answers with what went wrong, or null. */
  send: (answers: { presentPassword: string }) => Promise<UserError | null>;
  onClose: () => void;
}

/** A dialog that asks for the present password and nothing else. */
export function PresentPassword({
  username,
  title,
  lead,
  action,
  failed,
  lost,
  pending,
  fault = "",
  send,
  onClose,
}: PresentPasswordProps) {
  const { field, submit, trouble } = useTextForm({
    begin: { presentPassword: "" },
    checks: CHECKS,
    failed,
    lost,
  });
  return (
    <FormDialog
      title={title}
      lead={lead}
      action={action}
      pending={pending}
      trouble={trouble || fault}
      onSubmit={submit(send)}
      onClose={onClose}
    >
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        {...field("presentPassword")}
        label={words.present}
        data-first=""
        autoComplete="current-password"
        readOnly={pending}
      />
    </FormDialog>
  );
}
