import type { ReactNode } from "react";
import { leaving as words } from "@/copy/leaving";
import { useWrite } from "@/data/mutation";
import { DeleteAccountRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { PasswordField } from "@/ui/form/PasswordField";
import { faultOf } from "@/ui/form/rules";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import { ErrorNote } from "@/ui/States";
import css from "./DeleteDialog.module.css";
import { DELETE_ACCOUNT } from "./deletion";
import { useTextForm } from "@/data/useTextForm";

const CHECKS = {
  password: (v: string) => faultOf(v, RULES.password, { missing: words.missing, long: words.long }),
};

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}

/** What happens at once, what goes in the end, and what the law keeps. */
const Meaning = () => (
  <ul className={css.lines}>
    <Line icon="card">{words.billing}</Line>
    <Line icon="signOut">{words.out}</Line>
    <Line icon="bin">{words.goes}</Line>
    <Line icon="lock">
      {words.stays}
      <Link to={paths.privacy}>{words.privacy}</Link>
      {words.where}
    </Line>
    <Line icon="mail">{words.last}</Line>
  </ul>
);

/** Asks once more, with the password, before the account is to be deleted. */
export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { send, pending } = useWrite(DELETE_ACCOUNT);
  const email = useMember()?.email ?? "";
  const { field, submit, trouble } = useTextForm({
    begin: { password: "" },
    checks: CHECKS,
    failed: words.failed,
    lost: words.lost,
  });
  // The page becomes a visitor's, and this goes with it.
  const leave = submit(async (answers) => (await send(answers)).trouble);
  const close = () => (pending ? undefined : onClose());
  return (
    // The focus begins at Close, above all of it: what goes is read before anything is typed.
    <Dialog title={words.ask} onClose={close}>
      <p className={css.lead}>{words.lead}</p>
      <Meaning />
      <form className={css.form} noValidate onSubmit={(event) => void leave(event)}>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          {...field("password")}
          label={words.password}
          autoComplete="current-password"
          readOnly={pending}
        />
        {trouble ? <ErrorNote message={trouble} /> : null}
        <div className={css.actions}>
          <Button onClick={close}>{words.keep}</Button>
          <Button look="danger" type="submit" pending={pending}>
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
