import { Suspense, useState } from "react";
import { credentials } from "@/copy/credentials";
import { toUserError } from "@/data/errors";
import type { Passkey } from "@/gen/serein/web/v1/passkey_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import { partOf } from "@/lib/preloadable";
import { Button } from "@/ui/Button";
import { ErrorNote, Skeleton } from "@/ui/States";
import { Fact } from "./Band";
import { KeyIcon } from "./KeyIcon";
import { Outcome } from "./Outcome";
import css from "./Passkeys.module.css";
import { makesPasskeys, usePasskeys } from "./passkeys";
import { msOf } from "./plan";

const PasskeyDialog = partOf(
  () => import("./dialogs"),
  (all) => all.PasskeyDialog,
);
const RemovePasskeyDialog = partOf(
  () => import("./dialogs"),
  (all) => all.RemovePasskeyDialog,
);

const words = credentials.passkeys;

const historyOf = ({ addedAt, usedAt }: Passkey): string => {
  const added = dayAndTime(msOf(addedAt), now());
  return usedAt ? words.used(added, dayAndTime(msOf(usedAt), now())) : words.added(added);
};

interface OneProps {
  passkey: Passkey;
  onRemove: () => void;
}

function One({ passkey, onRemove }: OneProps) {
  const remove = (
    <Button
      look="quiet"
      small
      aria-label={words.removeOf(passkey.name)}
      aria-haspopup="dialog"
      onClick={onRemove}
    >
      {words.remove}
    </Button>
  );
  return <Fact label={passkey.name} text={historyOf(passkey)} action={remove} />;
}

interface AddProps {
  full: boolean;
  most: number;
  onAdd: () => void;
}

function Add({ full, most, onAdd }: AddProps) {
  if (full) return <p className={css.note}>{words.most(most)}</p>;
  if (!makesPasskeys()) return <p className={css.note}>{words.cannot}</p>;
  return (
    <p className={css.add}>
      <Button look="tint" small aria-haspopup="dialog" onClick={onAdd}>
        <KeyIcon />
        {words.add}
      </Button>
    </p>
  );
}

/** The ways in without a password. */
export function Passkeys({ username }: { username: string }) {
  const { data, error, refetch } = usePasskeys();
  const [asking, ask] = useState<Passkey | "new" | null>(null);
  const [outcome, setOutcome] = useState({ text: "", focus: false });
  if (!data && error)
    return (
      <ErrorNote message={`${words.away} ${toUserError(error).message}`} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height="56px" />;
  const open = (what: Passkey | "new") => {
    setOutcome({ text: "", focus: false });
    ask(what);
  };
  const closing = {
    username,
    onClose: () => ask(null),
    // The button of a passkey that was removed went with it: the focus comes to what is said.
    onDone: (text: string) => setOutcome({ text, focus: asking !== "new" }),
  };
  return (
    <>
      {data.passkeys.map((passkey) => (
        <One key={passkey.id} passkey={passkey} onRemove={() => open(passkey)} />
      ))}
      <Outcome {...outcome} />
      <Add full={data.passkeys.length >= data.most} most={data.most} onAdd={() => open("new")} />
      {asking ? (
        <Suspense>
          {asking === "new" ? (
            <PasskeyDialog {...closing} />
          ) : (
            <RemovePasskeyDialog {...closing} passkey={asking} />
          )}
        </Suspense>
      ) : null}
    </>
  );
}
