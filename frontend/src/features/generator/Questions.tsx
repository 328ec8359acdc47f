import type { ReactNode } from "react";
import { useId } from "react";
import { generator as copy } from "@/copy/generator";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { Chip, Range, Switch } from "@/ui/Choice";
import { FieldError } from "@/ui/Field";
import type { Answers } from "./model";
import { aboutMinutes, costOf, creditCount, MAX_TITLE } from "./model";
import { Tip } from "./Tip";

interface QuestionProps {
  page: GetGeneratorResponse;
  answers: Answers;
  set: (change: Partial<Answers>) => void;
}

function Question({ n, children }: { n: number; children: ReactNode }) {
  return (
    <div className="q">
      <span className="q__n" aria-hidden="true">
        {n}
      </span>
      <div className="q__b">{children}</div>
    </div>
  );
}

interface TitleProps extends QuestionProps {
  error: string;
  /** Enter was pressed here: with Generate still unavailable, the form itself hears nothing of it. */
  onTry: () => void;
}

export function TitleQuestion({ answers, set, error, onTry }: TitleProps) {
  const id = useId();
  return (
    <Question n={1}>
      <div className="q__h">
        <label htmlFor="title">{copy.q.title}</label>
      </div>
      <input
        className="title-in"
        id="title"
        name="title"
        value={answers.title}
        onChange={(event) => set({ title: event.target.value })}
        onKeyDown={(event) => event.key === "Enter" && onTry()}
        // Counted in characters by the model; this only stops an endless paste.
        maxLength={MAX_TITLE * 8}
        autoComplete="off"
        enterKeyHint="go"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-e ${id}-h`}
      />
      <div id={`${id}-e`} aria-live="polite">
        {error ? <FieldError>{error}</FieldError> : null}
      </div>
      <p className="field__hint" id={`${id}-h`}>
        {copy.q.titleHint}
      </p>
    </Question>
  );
}

export function SizeQuestion({ page, answers, set }: QuestionProps) {
  const at = Math.max(
    0,
    page.sizes.findIndex((s) => s.id === answers.sizeId),
  );
  const size = page.sizes[at];
  return (
    <Question n={2}>
      <div className="q__h">
        <label htmlFor="size">{copy.q.size}</label>
        <Tip label={copy.q.learnSizes} title={copy.tips.sizes}>
          <ul>
            {page.sizes.map((s) => (
              <li key={s.id}>
                <b>{s.name}.</b> {s.description} It has {s.minWords} to {s.maxWords} words and {s.breaks}{" "}
                pauses, {s.pauseSeconds} seconds of quiet in all.
              </li>
            ))}
          </ul>
          <p>{copy.tips.minutes}</p>
        </Tip>
      </div>
      <div className="sizes">
        <Range
          id="size"
          min={0}
          max={Math.max(0, page.sizes.length - 1)}
          step={1}
          value={at}
          valueText={size ? `${size.name}, ${aboutMinutes(size.expectedSeconds)}` : ""}
          onChange={(event) => set({ sizeId: page.sizes[Number(event.target.value)]?.id ?? answers.sizeId })}
        />
        <div className="stops" aria-hidden="true">
          {page.sizes.map((s, i) => (
            // The slider above has the keys; a press on a stop only spares the pointer its way.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <div key={s.id} className={i === at ? "on" : undefined} onClick={() => set({ sizeId: s.id })}>
              <b>{s.name}</b>
              {aboutMinutes(s.expectedSeconds)}
            </div>
          ))}
        </div>
      </div>
    </Question>
  );
}

interface Option {
  id: string;
  name: string;
}

function Choice({
  id,
  options,
  value,
  onChange,
}: {
  id: string;
  options: readonly Option[];
  value: string;
  onChange: (v: string) => void;
}) {
  return (
    <select
      className="select"
      id={id}
      value={value}
      aria-describedby={`${id}-hint`}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((o) => (
        <option key={o.id} value={o.id}>
          {o.name}
        </option>
      ))}
    </select>
  );
}

export function TypeQuestion({ page, answers, set }: QuestionProps) {
  const type = page.types.find((t) => t.id === answers.typeId);
  return (
    <Question n={3}>
      <div className="q__h">
        <label htmlFor="type">{copy.q.type}</label>
      </div>
      <Choice id="type" options={page.types} value={answers.typeId} onChange={(typeId) => set({ typeId })} />
      <p className="field__hint" id="type-hint">
        {type ? copy.q.voice(type.description, type.narratorName) : ""}
      </p>
    </Question>
  );
}

export function PracticeQuestion({ page, answers, set }: QuestionProps) {
  const practice = page.practices.find((p) => p.id === answers.practiceId);
  return (
    <Question n={4}>
      <div className="q__h">
        <label htmlFor="practice">{copy.q.practice}</label>
        <Tip label={copy.q.learnPractices} title={copy.tips.practices}>
          <p>{copy.tips.practicesText}</p>
          <ul>
            {page.practices.map((p) => (
              <li key={p.id}>
                <b>{p.name}.</b> {p.description}
              </li>
            ))}
          </ul>
        </Tip>
      </div>
      <Choice
        id="practice"
        options={page.practices}
        value={answers.practiceId}
        onChange={(practiceId) => set({ practiceId })}
      />
      <p className="field__hint" id="practice-hint">
        {practice?.description}
      </p>
    </Question>
  );
}

export function SoundQuestion({ page, answers, set }: QuestionProps) {
  const none = { id: "", name: copy.q.none };
  return (
    <Question n={5}>
      <div className="sound">
        <Switch checked={answers.immersive} onChange={(event) => set({ immersive: event.target.checked })}>
          <span className="q__t">{copy.q.immersive}</span>
        </Switch>
        <span className="badge">{creditCount(costOf(answers.immersive, page))}</span>
      </div>
      {answers.immersive ? (
        <fieldset className="chips amb">
          <legend className="sr">{copy.q.ambience}</legend>
          {[...page.tracks, none].map((track) => (
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
      ) : null}
    </Question>
  );
}
