import { sceneOf } from "@/art/meditation-scene";
import { studio as copy } from "@/copy/studio";
import type { GetStudioResponse } from "@/gen/serein/web/v1/studio_pb";
import { Card } from "@/ui/Card";
import css from "./CardPreview.module.css";
import type { Answers, Kind } from "./model";
import { briefLength, counted, expectedSeconds, named, quietSeconds, readMinutes } from "./model";

function Facts({ answers }: { answers: Answers }) {
  const { words } = counted(answers.script);
  return (
    <dl className={css.facts}>
      <div>
        <dt>{copy.card.words}</dt>
        <dd>{words}</dd>
      </div>
      <div>
        <dt>
          {copy.card.pauses}
          {answers.immersive ? <small>{copy.card.around}</small> : null}
        </dt>
        <dd>{copy.card.seconds(quietSeconds(answers.script, answers.immersive))}</dd>
      </div>
      <div>
        <dt>{copy.card.expected}</dt>
        <dd>{briefLength(expectedSeconds(answers.script, answers.immersive))}</dd>
      </div>
    </dl>
  );
}

/** The card that members will see, as far as it is written. */
export function CardPreview({
  kind,
  studio,
  answers,
}: {
  kind: Kind;
  studio: GetStudioResponse;
  answers: Answers;
}) {
  const title = answers.title.trim() || copy.card.untitled;
  const type = named(studio.types, answers.type)?.name ?? copy.card.uncategorized;
  const isArticle = kind === "article";
  const sound = answers.immersive ? copy.card.immersive : copy.card.voiceOnly;
  const length =
    counted(answers.script).words > 0 && briefLength(expectedSeconds(answers.script, answers.immersive));
  return (
    <>
      <p className="label">{copy.card.label}</p>
      <Card
        as="h2"
        className={css.card}
        title={title}
        scene={sceneOf(answers.type)}
        seed={title}
        {...(!isArticle && { tag: copy.unverified, ...(length && { length }) })}
        facts={[type, isArticle ? copy.card.read(readMinutes(answers.script)) : sound]}
      />
      {isArticle ? null : <Facts answers={answers} />}
    </>
  );
}
