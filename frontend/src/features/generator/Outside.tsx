import { outside as copy } from "@/copy/outside";
import { Link } from "@/lib/router";
import { paths } from "@/lib/paths";
import { Tick } from "@/ui/Choice";
import { FieldHint } from "@/ui/Field";
import { keepsInside } from "./outside-model";
import { outsideNarrators, recipientsOf } from "./outside-narrators";
import { Question } from "./Question";
import type { QuestionProps } from "./useAnswers";

export type OutsideProps = Pick<QuestionProps, "page" | "answers" | "choose">;

/** Where the title goes, and the choice that it goes nowhere. Nothing where nobody outside helps. */
export default function Outside({ page, answers, choose }: OutsideProps) {
  const inside = keepsInside(answers, page);
  if (!page.outside?.writer && !page.outside?.narrators.length) return null;
  const { writer, speaker } = recipientsOf(answers, page);
  const toggle = () => {
    choose("keepInside", !inside);
    if (!inside && outsideNarrators(page).includes(answers.narratorId)) choose("narratorId", "");
  };
  return (
    <Question n={7}>
      <Tick checked={inside} onChange={toggle} aria-describedby="outside-hint">
        {copy.keep}
      </Tick>
      <FieldHint id="outside-hint">
        {inside ? copy.kept : copy.goes(writer, speaker)} <Link to={paths.privacy}>{copy.more}</Link>
      </FieldHint>
    </Question>
  );
}
