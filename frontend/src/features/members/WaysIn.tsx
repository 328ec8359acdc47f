import { Suspense, useState } from "react";
import { credentials as words } from "@/copy/credentials";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { partOf } from "@/lib/preloadable";
import { Fact } from "./Band";
import { Change } from "./Change";
import { Outcome } from "./Outcome";
import { Passkeys } from "./Passkeys";
import { SecondStep } from "./SecondStep";

const PasswordDialog = partOf(
  () => import("./dialogs"),
  (all) => all.PasswordDialog,
);

/** What the member signs in with. */
export function WaysIn({ credentials: mine }: { credentials: Credentials }) {
  const [asking, ask] = useState(false);
  const [text, say] = useState("");
  const open = () => {
    say("");
    ask(true);
  };
  return (
    <>
      <Fact
        label={words.password.label}
        text={words.password.signsIn(mine.username)}
        action={<Change label={words.password.change} onClick={open} />}
      />
      <Outcome text={text} />
      <SecondStep username={mine.username} />
      <Passkeys username={mine.username} />
      {asking ? (
        <Suspense>
          <PasswordDialog credentials={mine} onClose={() => ask(false)} onDone={say} />
        </Suspense>
      ) : null}
    </>
  );
}
