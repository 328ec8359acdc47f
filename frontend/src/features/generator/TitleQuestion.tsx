import type { KeyboardEvent } from "react";
import { useId } from "react";
import { care } from "@/copy/care";
import { generator as copy } from "@/copy/generator";
import { MAX_TITLE, titleFault, titleWords } from "@/lib/title-rules";
import { FieldError, FieldHint } from "@/ui/Field";
import { TextButton } from "@/ui/TextButton";
import { Question } from "./Question";
import css from "./TitleQuestion.module.css";
import type { QuestionProps } from "./useAnswers";

/** Titles as people give them, to begin from. */
function Examples({ choose }: Pick<QuestionProps, "choose">) {
  return (
    <ul className={css.examples} aria-label={copy.q.examples}>
      {copy.q.exampleTitles.map((title) => (
        <li key={title}>
          <button type="button" className={css.example} onClick={() => choose("title", title)}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A title is one line, however many lines of the screen it takes: Enter presses the form's button, as browsers do in a field of one line. */
function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLElement>("[type=submit]")?.click();
}

interface TitleProps extends QuestionProps {
  error: string | undefined;
  /** Opens the words of care. */
  onHelp: () => void;
}

export function TitleQuestion({ answers, register, choose, error, onHelp }: TitleProps) {
  const id = useId();
  // An empty field is not scolded before a try; a fault in what is written is said at once.
  const fault = titleFault(answers.title);
  const shown = error ?? (fault === "TITLE_REQUIRED" ? "" : titleWords(fault));
  // What is too long, or holds a tab, is said below and still sent: the server alone can tell whether
  // it needs care, which comes before every other answer.
  const field = register("title", {
    validate: (title) => title.trim() !== "" || titleWords("TITLE_REQUIRED"),
  });
  return (
    <Question n={1} htmlFor="title" label={copy.q.title}>
      {/* The words stand in it a second time, unseen: the field is as high as they need. */}
      <div className={css.whole} data-words={answers.title}>
        <textarea
          {...field}
          className={css.input}
          id="title"
          rows={1}
          // Counted in characters by the model; this only keeps a paste within what the server reads.
          maxLength={MAX_TITLE * 16}
          autoComplete="off"
          enterKeyHint="go"
          required
          aria-invalid={shown ? true : undefined}
          aria-describedby={`${id}-e ${id}-h`}
          onKeyDown={sendByEnter}
          onChange={(event) => {
            event.target.value = event.target.value.replaceAll(/[\r\n]+/g, " ");
            void field.onChange(event);
          }}
        />
      </div>
      <div id={`${id}-e`} className={css.error} aria-live="polite">
        {shown ? <FieldError>{shown}</FieldError> : null}
      </div>
      <FieldHint id={`${id}-h`}>{copy.q.titleHint}</FieldHint>
      <Examples choose={choose} />
      <TextButton className={css.help} onClick={onHelp}>
        {care.quiet}
      </TextButton>
    </Question>
  );
}
