import { members } from "@/copy/members";
import type { Plan } from "@/lib/boot";
import { useSecond } from "@/lib/clock";
import { formatDay, formatTime } from "@/lib/format";
import { Countdown } from "@/ui/Countdown";

const words = members.trial;

/** The brass panel of a trial: until when, and what is left. */
export function Trial({ plan }: { plan: Plan | null }) {
  const second = useSecond();
  const over = plan !== null && (!plan.active || plan.endsAt <= second * 1000);
  const text = () => {
    if (!plan) return words.preparing;
    return over ? words.over : words.until(formatDay(plan.endsAt), formatTime(plan.endsAt));
  };
  return (
    <section className="panel trial" aria-labelledby="trial-title">
      <div>
        <h2 id="trial-title">{words.title}</h2>
        <p className="small muted">{text()}</p>
      </div>
      {plan && !over ? <Countdown endsAt={plan.endsAt} over={words.over} /> : null}
      {plan && !over ? <p className="acts small muted">{words.nothing}</p> : null}
    </section>
  );
}
