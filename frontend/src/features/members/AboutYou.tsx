import { Suspense, useState } from "react";
import { credentials as words } from "@/copy/credentials";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { partOf } from "@/lib/preloadable";
import { AddressWaiting } from "./AddressWaiting";
import { Fact } from "./Band";
import { Change } from "./Change";
import { msOf } from "./plan";
import { Outcome } from "./Outcome";

const NameDialog = partOf(
  () => import("./dialogs"),
  (all) => all.NameDialog,
);
const EmailDialog = partOf(
  () => import("./dialogs"),
  (all) => all.EmailDialog,
);

interface AboutYouProps {
  credentials: Credentials;
  /** Reads again how the member signs in. */
  look: () => Promise<Credentials | undefined>;
}

/** Name and email, and a change of the latter that waits for its codes. */
export function AboutYou({ credentials: mine, look }: AboutYouProps) {
  const [asking, ask] = useState<"" | "name" | "email">("");
  const [outcome, setOutcome] = useState({ text: "", focus: false });
  const [begun, setBegun] = useState(false);
  const open = (what: "name" | "email") => {
    setOutcome({ text: "", focus: false });
    ask(what);
  };
  const close = () => ask("");
  const end = (text: string) => {
    setBegun(false);
    setOutcome({ text, focus: true });
  };
  const onOver = async () => {
    const found = await look();
    if (found && !found.newEmail) end(words.email.over);
  };
  const onSent = () => {
    close();
    setBegun(true);
  };
  return (
    <>
      <Fact
        label={words.name.label}
        text={`${mine.givenName} ${mine.familyName}`}
        action={<Change label={words.name.change} onClick={() => open("name")} />}
      />
      <Fact
        label={words.email.label}
        text={words.email.confirmed(mine.email)}
        action={mine.newEmail ? null : <Change label={words.email.change} onClick={() => open("email")} />}
      />
      {mine.newEmail ? (
        <AddressWaiting
          // New codes are another form.
          key={msOf(mine.newEmailExpires)}
          credentials={mine}
          ready={begun && !asking}
          onAgain={() => open("email")}
          onDone={end}
          onOver={() => void onOver()}
        />
      ) : null}
      <Outcome {...outcome} />
      <Suspense>
        {asking === "name" ? (
          <NameDialog
            credentials={mine}
            onClose={close}
            onDone={(text) => setOutcome({ text, focus: false })}
          />
        ) : null}
        {asking === "email" ? <EmailDialog credentials={mine} onClose={close} onSent={onSent} /> : null}
      </Suspense>
    </>
  );
}
