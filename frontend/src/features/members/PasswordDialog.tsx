import { useState } from "react";
import { credentials } from "@/copy/credentials";
import type { UserError } from "@/data/errors";
import { LOST } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { ChangePasswordRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { NewPasswordField, PasswordField } from "@/ui/form/PasswordField";
import { faultOf } from "@/ui/form/rules";
import { CHANGE_PASSWORD } from "./credentials";
import { FormDialog } from "@/ui/FormDialog";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.password;
const { long } = credentials;

const CHECKS = {
  presentPassword: (v: string) => faultOf(v, RULES.presentPassword, { missing: words.missing.present, long }),
  password: (v: string) =>
    faultOf(v, RULES.password, { missing: words.missing.fresh, short: words.short, long }),
};

/** `lost`: nobody heard what came of the same request before. */
const saidOf = (refused: UserError, lost: boolean): UserError =>
  lost && refused.field === "present_password" ? { ...refused, message: words.perhaps } : refused;

interface PasswordDialogProps {
  credentials: Credentials;
  onClose: () => void;
  onDone: (text: string) => void;
}

/** Changes the password. After an answer that was lost, the present one may be refused because the new one holds. */
export function PasswordDialog({ credentials: mine, onClose, onDone }: PasswordDialogProps) {
  const { send, pending } = useWrite(CHANGE_PASSWORD);
  const { field, submit, trouble, values } = useTextForm({
    begin: { presentPassword: "", password: "" },
    checks: CHECKS,
    failed: words.failed,
    lost: words.lost,
  });
  const [lost, setLost] = useState(false);
  const save = submit(async (answers) => {
    const sent = await send(answers);
    if (sent.trouble) {
      setLost(lost || LOST.has(sent.trouble.code));
      return saidOf(sent.trouble, lost);
    }
    onClose();
    onDone(words.changed);
    return null;
  });
  const present = field("presentPassword");
  const fresh = field("password");
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
      {/* For password managers, which would else keep the new one for nobody. */}
      <input type="text" autoComplete="username" value={mine.username} readOnly hidden />
      <PasswordField
        {...present}
        label={words.present}
        data-first=""
        autoComplete="current-password"
        readOnly={pending}
      />
      <NewPasswordField
        {...fresh}
        label={words.fresh}
        typed={values.password ?? ""}
        min={RULES.password.minLen}
        readOnly={pending}
      />
    </FormDialog>
  );
}
