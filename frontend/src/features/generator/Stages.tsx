import { generator as copy } from "@/copy/generator";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { stepsOf } from "./progress";
import css from "./Stages.module.css";

/** What is done, what is being done, and what is to come. */
export function Stages({ meditation }: { meditation: Meditation }) {
  return (
    <ol className={css.stages} aria-label={copy.making.stages}>
      {stepsOf(meditation).map((step) => (
        <li
          key={step.text}
          className={classes(css.stage, step.state === "done" && css.done)}
          aria-current={step.state === "now" ? "step" : undefined}
        >
          {step.state === "done" ? <Icon name="tick" /> : <span className={css.dot} />}
          <span>{step.text}</span>
          <span className={css.fact}>{step.fact}</span>
        </li>
      ))}
    </ol>
  );
}
