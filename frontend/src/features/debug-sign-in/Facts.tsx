import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { debugSignIn as copy } from "@/copy/debug-sign-in";
import type { SignIn } from "@/gen/serein/web/v1/debug_pb";
import { now, useSecond } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import css from "./DebugSignIn.module.css";
import { leftOf } from "./left";

/** Until when something lasts, as `say` puts it; `over` once that is past. */
function useUntil() {
  const nowMs = useSecond() * 1000;
  return (at: Timestamp | undefined, say: (left: string) => string, over: string): string => {
    const left = at ? leftOf(timestampMs(at), nowMs) : "";
    return left ? say(left) : over;
  };
}

/** Claims and lifetimes of a sign-in; "unauthenticated" without a sign-in. */
export function Facts({ signIn }: { signIn: SignIn | undefined }) {
  const until = useUntil();
  const facts = signIn
    ? [
        [copy.state, copy.authenticated],
        ...signIn.claims.map(({ name, value }) => [copy.claims[name] ?? name, value]),
        [copy.issuer, signIn.issuer],
        [
          copy.idToken,
          signIn.issuedAt ? copy.issued(dayAndTime(timestampMs(signIn.issuedAt), now())) : copy.issuedUnknown,
        ],
        [copy.accessToken, until(signIn.accessTokenEndsAt, copy.left, copy.over)],
        [copy.renewal, signIn.renewsAt ? until(signIn.renewsAt, copy.in, copy.due) : copy.noRefresh],
        [copy.session, until(signIn.endsAt, copy.left, copy.over)],
      ]
    : [[copy.state, copy.unauthenticated]];
  return (
    <dl className={css.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
