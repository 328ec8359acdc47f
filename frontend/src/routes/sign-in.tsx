import { Navigate } from "react-router";
import { account } from "@/copy/account";
import { openSignUp } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/States";

const words = account.door;

/** For those who come by the address. Whoever is signed in goes to the Members Area. */
export default function SignIn() {
  if (useMember()) return <Navigate to={paths.members} replace />;
  const actions = (
    <div className="empty__acts">
      <Button look="primary" onClick={() => signIn()}>
        {words.signIn}
      </Button>
      <Button onClick={openSignUp}>{words.signUp}</Button>
    </div>
  );
  return (
    <Empty as="h1" title={words.title} action={actions}>
      {words.text}
    </Empty>
  );
}
