import { generator as copy } from "@/copy/generator";
import { Badge } from "@/ui/Badge";
import { FieldHint } from "@/ui/Field";
import { Chip, Switch } from "@/ui/Choice";
import type { QuestionProps } from "./model";
import { costOf, creditCount } from "./model";
import { Question, QuestionLabel } from "./Question";
import css from "./SoundQuestion.module.css";

/** Immersive or voice only. Without a sound it is voice only, so "none" is the switch and not a sound. */
export function SoundQuestion({ page, answers, set }: QuestionProps) {
  return (
    <Question n={5}>
      <div className={css.row}>
        <Switch checked={answers.immersive} onChange={(event) => set({ immersive: event.target.checked })}>
          <QuestionLabel>{copy.q.immersive}</QuestionLabel>
        </Switch>
        <Badge>{creditCount(costOf(answers.immersive, page))}</Badge>
      </div>
      {answers.immersive ? (
        <fieldset className={css.tracks}>
          <legend className="sr">{copy.q.ambience}</legend>
          {page.tracks.map((track) => (
            <Chip
              key={track.id}
              type="radio"
              name="ambience"
              checked={answers.trackId === track.id}
              onChange={() => set({ trackId: track.id })}
            >
              {track.name}
            </Chip>
          ))}
        </fieldset>
      ) : (
        <FieldHint>{copy.q.voiceOnly}</FieldHint>
      )}
    </Question>
  );
}
