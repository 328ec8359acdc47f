import { useState } from "react";
import { credentials } from "@/copy/credentials";
import type { UserError } from "@/data/errors";
import { LOST, toUserError } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { useWrite } from "@/data/mutation";
import type { App } from "@/gen/serein/web/v1/app_pb";
import { formatLongDate } from "@/lib/format";
import { Button } from "@/ui/Button";
import { ErrorNote, Skeleton } from "@/ui/States";
import { REVOKE_APP, useApps } from "./apps";
import { Fact } from "./Band";
import { Outcome } from "./Outcome";
import { msOf } from "./plan";

const words = credentials.apps;

const failure = ({ code, message }: UserError): string =>
  LOST.has(code) ? lostWords(words.lost) : words.failed(message);

/** Every app of somebody else that may act for the member, with what it may do. */
export function Apps() {
  const { data, error, refetch } = useApps();
  const revoking = useWrite(REVOKE_APP);
  const [outcome, setOutcome] = useState("");
  const [ending, setEnding] = useState("");
  if (!data && error)
    return (
      <ErrorNote message={`${words.away} ${toUserError(error).message}`} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height="72px" />;
  const revoke = async ({ clientId, name }: App) => {
    setOutcome("");
    setEnding(clientId);
    const { answer } = await revoking.send({ clientId });
    if (answer) setOutcome(words.revoked(name));
  };
  return (
    <>
      {data.apps.length === 0 ? <p className="small muted">{words.none}</p> : null}
      {data.apps.map((app) => (
        <Fact
          key={app.clientId}
          label={app.name}
          text={words.may(app.permissions, formatLongDate(msOf(app.since)))}
          action={
            <Button
              small
              aria-label={words.revokeOf(app.name)}
              pending={revoking.pending && ending === app.clientId}
              onClick={() => void revoke(app)}
            >
              {words.revoke}
            </Button>
          }
        />
      ))}
      {revoking.trouble ? <ErrorNote message={failure(revoking.trouble)} /> : null}
      {/* The button that was pressed goes with its app: the focus comes to what is said. */}
      <Outcome text={outcome} focus />
    </>
  );
}
