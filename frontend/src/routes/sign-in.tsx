import { Navigate } from "@/lib/router";
import { account } from "@/copy/account";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { useSignInLink } from "@/lib/sign-in-link";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/States";

const words = account.door;

/** For visitors who come by its address; members are led to the Members Area. */
export default function SignIn() {
  const { openSignUp } = useAccountPanel();
  const enter = useSignInLink();
  if (useMember()) return <Navigate to={paths.members} replace />;
  const actions = (
    <>
      <ButtonLink {...enter} look="primary">
        {words.signIn}
      </ButtonLink>
      <Button onClick={openSignUp}>{words.signUp}</Button>
    </>
  );
  return (
    <Empty as="h1" title={words.title} action={actions}>
      {words.text}
    </Empty>
  );
}
