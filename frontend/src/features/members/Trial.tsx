import { members } from "@/copy/members";
import type { Plan } from "@/lib/boot";
import { useSecond } from "@/lib/clock";
import { formatDay, formatTime } from "@/lib/format";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Countdown } from "@/ui/Countdown";
import { Panel } from "@/ui/Panel";
import css from "./Trial.module.css";

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
    <Panel title={words.title} className={css.trial}>
      <p className={classes("small muted", css.text)}>{text()}</p>
      {plan && !over ? (
        <div className={css.left}>
          <Countdown endsAt={plan.endsAt} over={words.over} large />
        </div>
      ) : null}
      {plan ? (
        <p className={classes("small muted", css.next)}>
          <ButtonLink small look="primary" to={paths.memberships}>
            {words.choose}
          </ButtonLink>
          {over ? null : words.nothing}
        </p>
      ) : null}
    </Panel>
  );
}
