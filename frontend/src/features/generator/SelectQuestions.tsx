import type { ComponentProps } from "react";
import { generator as copy } from "@/copy/generator";
import { Question } from "./Question";
import css from "./SelectQuestions.module.css";
import { FieldHint, SelectBox } from "@/ui/Field";
import { Tip } from "./Tip";
import type { QuestionProps } from "./useAnswers";

interface ChoiceProps extends ComponentProps<"select"> {
  id: string;
  options: readonly { id: string; name: string }[];
  /** What the chosen one is for. */
  hint: string | undefined;
}

function Choice({ id, options, hint, ...rest }: ChoiceProps) {
  return (
    <>
      <SelectBox {...rest} className={css.select} id={id} aria-describedby={`${id}-hint`}>
        {options.map((o) => (
          <option key={o.id} value={o.id}>
            {o.name}
          </option>
        ))}
      </SelectBox>
      <FieldHint id={`${id}-hint`}>{hint}</FieldHint>
    </>
  );
}

export function TypeQuestion({ page, answers, register }: QuestionProps) {
  const type = page.types.find((t) => t.id === answers.typeId);
  return (
    <Question n={3} htmlFor="type" label={copy.q.type}>
      <Choice {...register("typeId")} id="type" options={page.types} hint={type?.description} />
    </Question>
  );
}

export function PracticeQuestion({ page, answers, register }: QuestionProps) {
  const practice = page.practices.find((p) => p.id === answers.practiceId);
  const more = (
    <Tip label={copy.q.learnPractices} title={copy.tips.practices}>
      <p>{copy.tips.practicesText}</p>
      <ul>
        {page.practices.map((p) => (
          <li key={p.id}>
            <b>{p.name}.</b> {p.description}
          </li>
        ))}
      </ul>
    </Tip>
  );
  return (
    <Question n={4} htmlFor="practice" label={copy.q.practice} more={more}>
      <Choice
        {...register("practiceId")}
        id="practice"
        options={page.practices}
        hint={practice?.description}
      />
    </Question>
  );
}
