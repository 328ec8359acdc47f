import { useId } from "react";
import { generator as copy } from "@/copy/generator";
import type { Narrator } from "@/gen/serein/web/v1/generator_pb";
import { IconButton } from "@/ui/Button";
import css from "./Narrators.module.css";
import { keepsInside } from "./outside-model";
import { outsideNarrators } from "./outside-narrators";
import type { QuestionProps } from "./useAnswers";
import { useHearing, useVoices } from "./useVoices";

export interface NarratorsProps extends Pick<QuestionProps, "page" | "answers" | "choose"> {
  /** The preset narrator, by what is said of them; the id is empty for a type without a narrator. */
  preset: { id: string; name: string };
}

/** The preset narrator, then all others, each with a sentence to hear. */
export default function Narrators({ preset, page, answers, choose }: NarratorsProps) {
  const group = useId();
  const chosenId = answers.narratorId === preset.id ? "" : answers.narratorId;
  const { voices, trouble } = useVoices();
  const { sounding, toggle, trouble: silent } = useHearing();
  const row = (id: string, words: string, voice: Narrator | undefined) => (
    <div key={id} className={css.row}>
      <label className={css.choice}>
        <input
          type="radio"
          name={group}
          checked={id === chosenId}
          onChange={() => choose("narratorId", id)}
        />
        <span>
          {words}
          <small>{voice?.description}</small>
        </span>
      </label>
      {voice?.sampleUrl ? (
        <IconButton
          icon={sounding === voice.sampleUrl ? "pause" : "play"}
          label={copy.narrators[sounding === voice.sampleUrl ? "unhear" : "hear"](voice.name)}
          onClick={() => toggle(voice)}
        />
      ) : null}
    </div>
  );
  const without = keepsInside(answers, page) ? outsideNarrators(page) : [];
  const others = voices.filter(({ id }) => id !== preset.id && !without.includes(id));
  return (
    <fieldset className={css.list}>
      <legend className="sr">{copy.q.narrator}</legend>
      {row(
        "",
        preset.name,
        voices.find(({ id }) => id === preset.id),
      )}
      {others.map((voice) => row(voice.id, voice.name, voice))}
      <p role="status" className={css.status}>
        {trouble || silent}
      </p>
    </fieldset>
  );
}
