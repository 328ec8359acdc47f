import { useQuery } from "@connectrpc/connect-query";
import type { ReactNode } from "react";
import { debugSignIn as copy } from "@/copy/debug-sign-in";
import { toUserError } from "@/data/errors";
import { DebugService } from "@/gen/serein/web/v1/debug_pb";
import { useApp } from "@/lib/app";
import { useMember } from "@/lib/session";
import { signIn } from "@/lib/sign-in";
import { Art } from "@/ui/Art";
import { Button } from "@/ui/Button";
import { Loader } from "@/ui/Marks";
import { ErrorNote } from "@/ui/States";
import css from "./DebugSignIn.module.css";
import { Facts } from "./Facts";

/** Asked again whenever its tab is looked at: the session may have been renewed meanwhile. */
const useSignIn = () =>
  useQuery(DebugService.method.getSignIn, {}, { refetchOnWindowFocus: "always", staleTime: 0 });

function SignInNow({ off }: { off: ReactNode }) {
  const app = useApp();
  const { data, error, refetch } = useSignIn();
  const trouble = error ? toUserError(error) : null;
  if (trouble?.reason === "NOT_FOUND") return off;
  const shown = () => {
    if (trouble) return <ErrorNote message={copy.error(trouble.message)} onRetry={() => void refetch()} />;
    return data ? <Facts signIn={data.signIn} /> : <Loader label={copy.loading} />;
  };
  return (
    <div className={css.page}>
      <div className={css.art} data-theme="dark">
        <Art className={css.print} scene="Focus and Concentration" seed="5" w={700} h={900} theme="dark" />
        <p>{copy.art}</p>
      </div>
      <div className={css.side}>
        <h1>{copy.title}</h1>
        <p>{copy.lead}</p>
        <div className={css.shown}>{shown()}</div>
        <p className="small">{copy.never}</p>
        <div className={css.actions}>
          <Button wide onClick={() => signIn()}>
            {copy.signIn}
          </Button>
          {data?.signIn ? (
            <Button wide look="quiet" onClick={() => void app.signOut()}>
              {copy.signOut}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** What the gateway knows of this browser's sign-in; `off` is shown where the operator has not switched it on. */
export function DebugSignIn({ off }: { off: ReactNode }) {
  // A change of member remounts the screen, which reads the sign-in again.
  return <SignInNow key={useMember()?.uid ?? ""} off={off} />;
}
