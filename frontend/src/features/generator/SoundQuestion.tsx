import { generator as copy } from "@/copy/generator";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { usePlayer } from "@/player/hooks";
import { useSample } from "@/player/sample/useSample";
import { Badge } from "@/ui/Badge";
import { FieldHint } from "@/ui/Field";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import { Chip, Switch } from "@/ui/Choice";
import { costOf, creditCount } from "./model";
import { Question, QuestionLabel } from "./Question";
import css from "./SoundQuestion.module.css";
import type { QuestionProps } from "./useAnswers";

/** A minute of a voice of ours with the chosen sound, to choose by. What plays is quiet meanwhile. */
function Hear({ track }: { track: AmbientTrack | undefined }) {
  const { engine } = usePlayer();
  const { wanted, toggle, trouble } = useSample(track);
  const press = () => {
    engine.pause();
    toggle();
  };
  return (
    <div className={css.hear}>
      <TextButton onClick={press}>
        <Icon name={wanted ? "pause" : "play"} />
        {wanted ? copy.q.unhear : copy.q.hear(track?.name ?? "")}
      </TextButton>
      <p role="status" className={css.status}>
        {trouble}
      </p>
    </div>
  );
}

/** Immersive or voice only. Without a sound it is voice only, so "none" is the switch and not a sound. */
export function SoundQuestion({ page, answers, register }: QuestionProps) {
  return (
    <Question n={6}>
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
      <Hear
        track={answers.immersive ? page.tracks.find((track) => track.id === answers.trackId) : undefined}
      />
    </Question>
  );
}
