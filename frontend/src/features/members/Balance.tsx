import { members } from "@/copy/members";
import type { Credits } from "@/lib/boot";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Beads } from "@/ui/Beads";
import { ButtonLink } from "@/ui/Button";

const words = members.credits;
/** A trial's credits: what is spent of them shows as empty beads. */
const TRIAL_CREDITS = 8;

export function Balance({ credits, trial }: { credits: Credits; trial: boolean }) {
  const left = credits.plan + credits.topUp;
  const of = trial ? TRIAL_CREDITS : 0;
  return (
    <section className="panel" aria-labelledby="credits-title">
      <div className="panel__h">
        <h2 id="credits-title">{words.title}</h2>
        {left > 0 ? (
          <ButtonLink look="tint" small to={paths.generator}>
            {words.make}
          </ButtonLink>
        ) : null}
      </div>
      <div className="bal">
        <p className="bal__n">
          <b>{formatNumber(left)}</b>
          <span>{words.left(credits.held, of)}</span>
        </p>
        <Beads credits={credits} of={of} />
        <p>{words.text}</p>
      </div>
    </section>
  );
}
