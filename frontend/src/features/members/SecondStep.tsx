import { Suspense, useState } from "react";
import { credentials } from "@/copy/credentials";
import { toUserError } from "@/data/errors";
import type { SecondStep as State } from "@/gen/serein/web/v1/second_step_pb";
import { now } from "@/lib/clock";
import { dayAndTime } from "@/lib/format";
import { partOf } from "@/lib/preloadable";
import { Button } from "@/ui/Button";
import { ErrorNote, Skeleton } from "@/ui/States";
import { Fact } from "./Band";
import { Outcome } from "./Outcome";
import { msOf } from "./plan";
import css from "./SecondStep.module.css";
import { useSecondStep } from "./second-step";

const SecondStepDialog = partOf(
  () => import("./dialogs"),
  (all) => all.SecondStepDialog,
);
const FreshCodesDialog = partOf(
  () => import("./dialogs"),
  (all) => all.FreshCodesDialog,
);
const TurnOffDialog = partOf(
  () => import("./dialogs"),
  (all) => all.TurnOffDialog,
);

const words = credentials.secondStep;

const DIALOGS = { setUp: SecondStepDialog, fresh: FreshCodesDialog, turnOff: TurnOffDialog };

/** What can be asked for. */
type Wish = keyof typeof DIALOGS;

const NAMES: Record<Wish, string> = { setUp: words.setUpOf, fresh: words.fresh, turnOff: words.turnOffOf };

interface WishButtonProps {
  wish: Wish;
  look?: "tint" | "quiet";
  onAsk: (wish: Wish) => void;
}

function WishButton({ wish, look = "quiet", onAsk }: WishButtonProps) {
  return (
    <Button look={look} small aria-label={NAMES[wish]} aria-haspopup="dialog" onClick={() => onAsk(wish)}>
      {words[wish]}
    </Button>
  );
}

/** How it stands, in words. */
function textOf({ onSince, recoveryCodesLeft }: State): string {
  return words.on(dayAndTime(msOf(onSince), now()), words.left(recoveryCodesLeft));
}

interface StandsProps {
  state: State | undefined;
  onAsk: (wish: Wish) => void;
}

function Stands({ state, onAsk }: StandsProps) {
  if (!state?.onSince)
    return (
      <Fact
        label={words.label}
        text={words.off}
        action={<WishButton wish="setUp" look="tint" onAsk={onAsk} />}
      />
    );
  const actions = (
    <div className={css.actions}>
      <WishButton wish="fresh" onAsk={onAsk} />
      <WishButton wish="turnOff" onAsk={onAsk} />
    </div>
  );
  return <Fact label={words.label} text={textOf(state)} action={actions} />;
}

/** Whether a code of an authenticator app is asked for beside the password. */
export function SecondStep({ username }: { username: string }) {
  const { data, error, refetch } = useSecondStep();
  const [asking, ask] = useState<Wish | null>(null);
  const [outcome, setOutcome] = useState({ text: "", focus: false });
  if (!data && error)
    return (
      <ErrorNote message={`${words.away} ${toUserError(error).message}`} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height="72px" />;
  const open = (wish: Wish) => {
    setOutcome({ text: "", focus: false });
    ask(wish);
  };
  const Asked = asking && DIALOGS[asking];
  return (
    <>
      <Stands state={data.secondStep} onAsk={open} />
      <Outcome {...outcome} />
      {Asked ? (
        <Suspense>
          <Asked
            username={username}
            onClose={() => ask(null)}
            // The button of what was turned on or off went with it: the focus comes to what is said.
            onDone={(text) => setOutcome({ text, focus: asking !== "fresh" })}
          />
        </Suspense>
      ) : null}
    </>
  );
}
