import type { ReactNode } from "react";
import css from "./Question.module.css";

interface QuestionProps {
  n: number;
  /** The control's id; without it the question brings its own label. */
  htmlFor?: string;
  label?: string;
  /** Right of the label: a "Learn more". */
  more?: ReactNode;
  children: ReactNode;
}

/** One numbered question of the form. */
export function Question({ n, htmlFor, label, more, children }: QuestionProps) {
  return (
    <div className={css.question}>
      <span className={css.number} aria-hidden="true">
        {n}
      </span>
      <div className={css.body}>
        {htmlFor ? (
          <div className={css.head}>
            <label className={css.label} htmlFor={htmlFor}>
              {label}
            </label>
            {more}
          </div>
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** A label in the questions' hand, for a control that carries it itself. */
export const QuestionLabel = ({ children }: { children: ReactNode }) => (
  <span className={css.label}>{children}</span>
);
