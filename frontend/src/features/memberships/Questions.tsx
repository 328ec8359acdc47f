import type { Question } from "@/gen/serein/web/v1/shop_pb";
import { clean } from "@/lib/clean";
import { Each, field, made, useFill } from "@/lib/template";
import { Html } from "@/ui/Html";
import { Icon } from "@/ui/Icon";
import css from "./Questions.module.css";

/** What is often asked, each with its answer folded away. */
export function Questions({ title, questions }: { title: string; questions: readonly Question[] }) {
  const fill = useFill();
  return (
    <section className={css.questions} aria-labelledby="questions">
      <h2 id="questions">{title}</h2>
      <div className={css.list}>
        <Each of={questions}>
          {(one) => (
            <details key={one.question}>
              <summary>
                {one.question}
                <Icon name="plus" />
              </summary>
              <Html html={fill(made(clean, field(one, "answer")))} className={css.answer} />
            </details>
          )}
        </Each>
      </div>
    </section>
  );
}
