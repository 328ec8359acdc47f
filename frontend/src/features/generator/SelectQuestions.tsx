import { generator as copy } from "@/copy/generator";
import type { QuestionProps } from "./model";
import { Question } from "./Question";
import css from "./SelectQuestions.module.css";
import { FieldHint, SelectBox } from "@/ui/Field";
import { Tip } from "./Tip";

interface ChoiceProps {
  id: string;
  options: readonly { id: string; name: string }[];
  value: string;
  onChange: (value: string) => void;
}

function Choice({ id, options, value, onChange }: ChoiceProps) {
  return (
    <SelectBox
      className={css.select}
      id={id}
      value={value}
      aria-describedby={`${id}-hint`}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((o) => (
        <option key={o.id} value={o.id}>
          {o.name}
        </option>
      ))}
    </SelectBox>
  );
}

export function TypeQuestion({ page, answers, set }: QuestionProps) {
  const type = page.types.find((t) => t.id === answers.typeId);
  return (
    <Question n={3} htmlFor="type" label={copy.q.type}>
      <Choice id="type" options={page.types} value={answers.typeId} onChange={(typeId) => set({ typeId })} />
      <FieldHint id="type-hint">{type ? copy.q.voice(type.description, type.narratorName) : ""}</FieldHint>
    </Question>
  );
}

export function PracticeQuestion({ page, answers, set }: QuestionProps) {
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
        id="practice"
        options={page.practices}
        value={answers.practiceId}
        onChange={(practiceId) => set({ practiceId })}
      />
      <FieldHint id="practice-hint">{practice?.description}</FieldHint>
    </Question>
  );
}
