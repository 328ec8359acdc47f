import { useId } from "react";
import { generator as copy } from "@/copy/generator";
import { FieldError, FieldHint } from "@/ui/Field";
import { MAX_TITLE } from "./model";
import type { QuestionProps } from "./model";
import { Question } from "./Question";
import css from "./TitleQuestion.module.css";

interface TitleProps extends QuestionProps {
  error: string;
  /** Enter was pressed here: with Generate still unavailable, the form itself hears nothing of it. */
  onTry: () => void;
}

export function TitleQuestion({ answers, set, error, onTry }: TitleProps) {
  const id = useId();
  return (
    <Question n={1} htmlFor="title" label={copy.q.title}>
      <input
        className={css.input}
        id="title"
        name="title"
        value={answers.title}
        onChange={(event) => set({ title: event.target.value })}
        onKeyDown={(event) => event.key === "Enter" && onTry()}
        // Counted in characters by the model; this only stops an endless paste.
        maxLength={MAX_TITLE * 8}
        autoComplete="off"
        enterKeyHint="go"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-e ${id}-h`}
      />
      <div id={`${id}-e`} className={css.error} aria-live="polite">
        {error ? <FieldError>{error}</FieldError> : null}
      </div>
      <FieldHint id={`${id}-h`}>{copy.q.titleHint}</FieldHint>
    </Question>
  );
}
