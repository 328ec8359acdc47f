import { generator as copy } from "@/copy/generator";
import type { UserError } from "@/data/errors";
import type { Credits } from "@/lib/boot";
import { formatUnit } from "@/lib/format";
import { useTrialOffer } from "@/lib/session";
import { signIn } from "@/lib/sign-in";
import { openTopUp } from "@/lib/top-up";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import type { Blocker } from "./model";
import css from "./Pay.module.css";
import { creditCount, OUT_OF_CREDITS, isAboutTitle, usesText } from "./model";

/** Visitors are asked to sign up; what they have answered stays. Whether the title needs care is asked first. */
function ForVisitors({ judge, judging }: Pick<PayProps, "judge" | "judging">) {
  const offer = useTrialOffer();
  const logIn = () => {
    signIn(); // at once: later the browser would not open its window
    void judge();
  };
  return (
    <div className={css.pay}>
      <Button look="primary" type="submit" className={css.button} pending={judging}>
        {copy.visitor.action}
      </Button>
      <p className={css.text} id="pay-why">
        {copy.visitor.text}{" "}
        {offer ? `${copy.visitor.offer(formatUnit(offer.days, "day"), creditCount(offer.credits))} ` : ""}
        <TextButton className={css.link} onClick={logIn}>
          {copy.visitor.have}
        </TextButton>
      </p>
    </div>
  );
}

/** `voiceOnly`: enough is left for a meditation without immersive sound. */
function OutOfCredits({ voiceOnly }: { voiceOnly: boolean }) {
  return (
    <div className={css.note}>
      <TextButton className={css.topUp} aria-haspopup="dialog" onClick={openTopUp}>
        {copy.creditsLink}
      </TextButton>
      <Note tone="brass">
        <span id="pay-why">
          {OUT_OF_CREDITS} {voiceOnly ? copy.voiceOnlyWorks : ""}
        </span>
      </Note>
    </div>
  );
}

interface PayProps {
  blocker: Blocker;
  cost: number;
  credits: Credits | null;
  trouble: UserError | null;
  /** Asks whether the title needs care, where it cannot be generated. */
  judge: () => Promise<boolean>;
  /** That is being asked. */
  judging: boolean;
  /** The studio is full, and the time to wait is not over. */
  waiting: boolean;
}

/** The last line of the form: what it costs, and Generate. */
export function Pay({ blocker, cost, credits, trouble, judge, judging, waiting }: PayProps) {
  if (blocker === "visitor" || !credits) return <ForVisitors judge={judge} judging={judging} />;
  const broke = blocker === "credits" || trouble?.reason === "INSUFFICIENT_CREDITS";
  // What asked to wait is said until the time is over.
  const waited = Boolean(trouble?.retryAfter) && !waiting;
  const said = trouble && !broke && !waited && !isAboutTitle(trouble) ? trouble : null;
  return (
    <>
      {broke ? <OutOfCredits voiceOnly={credits.plan + credits.topUp > 0 && cost > 1} /> : null}
      {said ? (
        <div className={css.note}>
          <Note tone={waiting ? "brass" : "danger"}>
            {said.message} {said.reason ? copy.sendFailed : copy.sendUnsure}
          </Note>
        </div>
      ) : null}
      <div className={css.pay}>
        <Button
          look="primary"
          type="submit"
          className={css.button}
          pending={blocker === "busy"}
          unavailable={broke || waiting}
          onUnavailable={judge}
          aria-describedby="pay-why"
        >
          {blocker === "busy" ? copy.sending : copy.generate}
        </Button>
        {broke ? null : (
          <p className={classes("tnum", css.text)} id="pay-why">
            {usesText(cost, credits)}
            <br />
            {copy.charged}
          </p>
        )}
      </div>
    </>
  );
}
