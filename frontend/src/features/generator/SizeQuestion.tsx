import { generator as copy } from "@/copy/generator";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { Range } from "@/ui/Choice";
import { classes } from "@/ui/classes";
import { aboutMinutes } from "./model";
import { Question } from "./Question";
import css from "./SizeQuestion.module.css";
import { Tip } from "./Tip";
import type { QuestionProps } from "./useAnswers";

function Sizes({ sizes }: { sizes: GetGeneratorResponse["sizes"] }) {
  return (
    <Tip label={copy.q.learnSizes} title={copy.tips.sizes}>
      <ul>
        {sizes.map((s) => (
          <li key={s.id}>
            <b>{s.name}.</b> {s.description} It has {s.minWords} to {s.maxWords} words and {s.breaks} pauses,{" "}
            {s.pauseSeconds} seconds of quiet in all.
          </li>
        ))}
      </ul>
      <p>{copy.tips.minutes}</p>
    </Tip>
  );
}

/** A slider with a stop a size. */
export function SizeQuestion({ page, answers, choose }: QuestionProps) {
  const at = Math.max(
    0,
    page.sizes.findIndex((s) => s.id === answers.sizeId),
  );
  const size = page.sizes[at];
  return (
    <Question n={2} htmlFor="size" label={copy.q.size} more={<Sizes sizes={page.sizes} />}>
      <div className={css.sizes}>
        <Range
          id="size"
          className={css.range}
          min={0}
          max={Math.max(0, page.sizes.length - 1)}
          step={1}
          value={at}
          valueText={size ? `${size.name}, ${aboutMinutes(size.expectedSeconds)}` : ""}
          onChange={(event) => choose("sizeId", page.sizes[Number(event.target.value)]?.id ?? answers.sizeId)}
        />
        <div className={css.stops} aria-hidden="true">
          {page.sizes.map((s, i) => (
            // The slider above has the keys; a press on a stop only spares the pointer its way.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <div
              key={s.id}
              className={classes(css.stop, i === at && css.chosen)}
              onClick={() => choose("sizeId", s.id)}
            >
              <b>{s.name}</b>
              {aboutMinutes(s.expectedSeconds)}
            </div>
          ))}
        </div>
      </div>
    </Question>
  );
}
