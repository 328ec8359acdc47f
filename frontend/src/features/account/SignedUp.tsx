import { account } from "@/copy/account";
import { useAccountPanel } from "@/lib/account-panel";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Motif } from "@/ui/Marks";
import css from "./AccountPanel.module.css";

const words = account.done;

/** The account is there; the hosted sign-in does the rest. The panel closes by itself once it has. */
export function SignedUp({ username, confirmed }: { username: string; confirmed: boolean }) {
  const { returnTo } = useAccountPanel();
  return (
    <div className={css.done}>
      <Motif className={css.motif} />
      <p className={css.title} role="status">
        {confirmed ? words.logging : words.now}
      </p>
      {confirmed ? <p className="muted">{words.text}</p> : null}
      {/* The form that had the focus is gone. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <Button look={confirmed ? "line" : "primary"} autoFocus onClick={() => signIn(username, returnTo)}>
        {words.again}
      </Button>
    </div>
  );
}
