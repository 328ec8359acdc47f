import { Link } from "react-router";
import { generator as copy } from "@/copy/generator";
import type { Trouble } from "@/data/errors";
import { openSignUp } from "@/lib/account-panel";
import type { Credits } from "@/lib/boot";
import { paths } from "@/lib/paths";
import { signIn } from "@/lib/sign-in";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/States";
import type { Bar } from "./model";
import { HELD_TEXT, OUT_OF_CREDITS, titleWords, usesText } from "./model";

/** Visitors are asked to sign up; what they have answered stays. */
function ForVisitors() {
  return (
    <div className="pay">
      <Button look="primary" onClick={openSignUp}>
        {copy.visitor.action}
      </Button>
      <p id="pay-why">
        {copy.visitor.text}{" "}
        <button type="button" className="linkish" onClick={() => signIn()}>
          {copy.visitor.have}
        </button>
      </p>
    </div>
  );
}

/** `voiceOnly`: enough is left for a meditation without immersive sound. */
function OutOfCredits({ voiceOnly }: { voiceOnly: boolean }) {
  return (
    <div className="pay__note">
      <Link to={paths.members}>{copy.creditsLink}</Link>
      <Note tone="brass">
        <span id="pay-why">
          {OUT_OF_CREDITS} {voiceOnly ? copy.voiceOnlyWorks : ""}
        </span>
      </Note>
    </div>
  );
}

interface PayProps {
  bar: Bar;
  cost: number;
  credits: Credits | null;
  trouble: Trouble | null;
}

/** The last line of the form: what it costs, and the press. */
export function Pay({ bar, cost, credits, trouble }: PayProps) {
  if (bar === "visitor" || !credits) return <ForVisitors />;
  const broke = bar === "credits" || trouble?.reason === "INSUFFICIENT_CREDITS";
  const said = trouble && !broke && !titleWords(trouble.reason) ? trouble : null;
  return (
    <>
      {broke ? <OutOfCredits voiceOnly={credits.plan + credits.topUp > 0 && cost > 1} /> : null}
      {said ? (
        <div className="pay__note">
          <Note tone="danger">
            {said.message} {said.reason ? copy.sendFailed : copy.sendUnsure}
          </Note>
        </div>
      ) : null}
      <div className="pay">
        <Button
          look="primary"
          type="submit"
          pending={bar === "busy"}
          unavailable={broke || bar === "title"}
          aria-describedby="pay-why"
        >
          {bar === "busy" ? copy.sending : copy.generate}
        </Button>
        {broke ? null : (
          <p className="tnum" id="pay-why">
            {usesText(cost, credits)}
            <br />
            {HELD_TEXT(cost)}
          </p>
        )}
      </div>
    </>
  );
}
