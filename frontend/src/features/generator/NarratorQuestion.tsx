import { Suspense, useId, useState } from "react";
import { generator as copy } from "@/copy/generator";
import { preloadable } from "@/lib/preloadable";
import { useMember } from "@/lib/session";
import { Tick } from "@/ui/Choice";
import { TextButton } from "@/ui/TextButton";
import { chosenNarrator, presetNarrator } from "./model";
import type { NarratorsProps } from "./Narrators";
import css from "./NarratorQuestion.module.css";
import { Question, QuestionLabel } from "./Question";
import { spokenName } from "./spokenName";
import type { QuestionProps } from "./useAnswers";

const Narrators = preloadable<NarratorsProps>(() => import("./Narrators"));

/** Who speaks: the preset narrator, or another one. The list of all, with their samples, comes when it is asked for. */
export function NarratorQuestion(props: QuestionProps) {
  const { page, answers, register } = props;
  const [open, set] = useState(false);
  const id = useId();
  const name = spokenName(useMember()?.givenName);
  const chosen = chosenNarrator(answers, page);
  const preset = presetNarrator(answers, page);
  const words = copy.narrators.preset(preset.name, preset.type || copy.narrators.immersive);
  const preload = () => void Narrators.preload();
  return (
    <Question n={5}>
      <div className={css.head}>
        <QuestionLabel>{copy.q.narrator}</QuestionLabel>
        <TextButton
          className={css.open}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => set(!open)}
          onPointerEnter={preload}
          onFocus={preload}
        >
          {open ? copy.narrators.close : copy.narrators.open}
        </TextButton>
      </div>
      <div id={id}>
        {open ? (
          <Suspense fallback={<p role="status">{copy.narrators.loading}</p>}>
            <Narrators {...props} preset={{ id: preset.id, name: words }} />
          </Suspense>
        ) : (
          <p className={css.now}>{chosen ? copy.narrators.chosen(chosen.name) : words}</p>
        )}
      </div>
      {name ? <Tick {...register("sayName")}>{copy.narrators.firstName(name)}</Tick> : null}
    </Question>
  );
}
