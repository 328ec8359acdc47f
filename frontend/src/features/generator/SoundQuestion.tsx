import { generator as copy } from "@/copy/generator";
import { Badge } from "@/ui/Badge";
import { FieldHint } from "@/ui/Field";
import { Chip, Switch } from "@/ui/Choice";
import { costOf, creditCount } from "./model";
import { Question, QuestionLabel } from "./Question";
import css from "./SoundQuestion.module.css";
import type { QuestionProps } from "./useAnswers";

/** Immersive or voice only. Without a sound it is voice only, so "none" is the switch and not a sound. */
export function SoundQuestion({ page, answers, register }: QuestionProps) {
  return (
    <Question n={5}>
      <div className={css.row}>
        <Switch {...register("immersive")}>
          <QuestionLabel>{copy.q.immersive}</QuestionLabel>
        </Switch>
        <Badge>{creditCount(costOf(answers.immersive, page))}</Badge>
      </div>
      {answers.immersive ? (
        <fieldset className={css.tracks}>
          <legend className="sr">{copy.q.ambience}</legend>
          {page.tracks.map((track) => (
            <Chip key={track.id} type="radio" value={track.id} {...register("trackId")}>
              {track.name}
            </Chip>
          ))}
        </fieldset>
      ) : (
        <div className={css.voiceOnly}>
          <FieldHint>{copy.q.voiceOnly}</FieldHint>
        </div>
      )}
    </Question>
  );
}
