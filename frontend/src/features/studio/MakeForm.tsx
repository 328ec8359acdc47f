import { useEffect, useState } from "react";
import type { FormEvent } from "react";
import { studio as copy } from "@/copy/studio";
import type { UserError } from "@/data/errors";
import type { Choice, GetStudioResponse } from "@/gen/serein/web/v1/studio_pb";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { Field, Select, TextArea } from "@/ui/Field";
import { ErrorNote } from "@/ui/States";
import { CardPreview } from "./CardPreview";
import { draftOf } from "./drafts";
import css from "./MakeForm.module.css";
import { Making } from "./Making";
import type { Answers, Kind } from "./model";
import { counted, faultyPause, FRESH, isUnderWay, missing, named } from "./model";
import { FirstPassage } from "./FirstPassage";
import { useFollowed } from "./useMade";
import { useMake } from "./useMake";

const ROWS = 11;

function useAnswers(kind: Kind) {
  const uid = useMember()?.uid;
  const [draft] = useState(() => draftOf(kind).read(uid));
  const [answers, set] = useState<Answers>(draft?.answers ?? FRESH);
  const [madeId, setMade] = useState(draft?.madeId ?? "");
  useEffect(() => draftOf(kind).keep({ answers, madeId }, uid), [kind, answers, madeId, uid]);
  const change = (part: Partial<Answers>) => set((before) => ({ ...before, ...part }));
  const again = () => {
    set(FRESH);
    setMade("");
  };
  return { answers, change, madeId, setMade, again };
}

interface PartProps {
  kind: Kind;
  studio: GetStudioResponse;
  answers: Answers;
  change: (part: Partial<Answers>) => void;
  /** It is being made: the answers stand as they were sent. */
  fixed: boolean;
  refused: UserError | null;
}

const saying = (refused: UserError | null, field: string): string | undefined =>
  refused?.field === field ? refused.message : undefined;

function Options({ choices }: { choices: readonly Choice[] }) {
  return (
    <>
      <option value="">{copy.form.choose}</option>
      {choices.map((c) => (
        <option key={c.id} value={c.id}>
          {c.name}
        </option>
      ))}
    </>
  );
}

function What({ studio, answers, change, fixed, refused }: PartProps) {
  return (
    <>
      <Field
        label={copy.form.title}
        value={answers.title}
        required
        readOnly={fixed}
        maxLength={120}
        autoComplete="off"
        error={saying(refused, "title")}
        onChange={(event) => change({ title: event.target.value })}
      />
      <div className={css.two}>
        <Select
          label={copy.form.type}
          value={answers.type}
          required
          disabled={fixed}
          error={saying(refused, "type")}
          onChange={(event) => change({ type: event.target.value })}
        >
          <Options choices={studio.types} />
        </Select>
        <Select
          label={copy.form.practice}
          value={answers.practice}
          required
          disabled={fixed}
          error={saying(refused, "practice")}
          onChange={(event) => change({ practice: event.target.value })}
        >
          <Options choices={studio.practices} />
        </Select>
      </div>
    </>
  );
}

function Script({ kind, answers, change, fixed, refused }: PartProps) {
  const { words, pauseSeconds } = counted(answers.script);
  const isScript = kind === "meditation";
  const line = isScript ? faultyPause(answers.script) : 0;
  const hint = isScript
    ? `${copy.form.counted(words, pauseSeconds)} ${copy.form.scriptHint}`
    : `${copy.form.words(words)} ${copy.form.textHint}`;
  return (
    <TextArea
      label={isScript ? copy.form.script : copy.form.text}
      rows={ROWS}
      value={answers.script}
      required
      readOnly={fixed}
      hint={hint}
      error={line ? copy.form.pauseFault(line) : saying(refused, isScript ? "script" : "text")}
      onChange={(event) => change({ script: event.target.value })}
    />
  );
}

function Words({ name, hint }: { name: string; hint: string }) {
  return (
    <>
      <span className={css.name}>{name}</span>
      <small className={css.hint}>{hint}</small>
    </>
  );
}

function How({ kind, studio, answers, change, fixed, refused }: PartProps) {
  const preset = named(studio.types, answers.type)?.hint;
  const second = kind === "meditation" ? "intro" : "open";
  return (
    <div className={css.options}>
      <Switch
        checked={answers.immersive}
        disabled={fixed}
        onChange={(event) => change({ immersive: event.target.checked })}
      >
        <Words name={copy.form.immersive} hint={copy.form.immersiveHint} />
      </Switch>
      <Switch
        checked={answers[second]}
        disabled={fixed}
        onChange={(event) => change({ [second]: event.target.checked })}
      >
        <Words name={copy.form[second]} hint={copy.form[`${second}Hint`]} />
      </Switch>
      <Select
        label={copy.form.voice}
        value={answers.narratorId}
        disabled={fixed}
        error={saying(refused, "narrator_id")}
        onChange={(event) => change({ narratorId: event.target.value })}
      >
        <option value="">{preset ? copy.form.presetOf(preset) : copy.form.preset}</option>
        {studio.narrators.map((n) => (
          <option key={n.id} value={n.id}>
            {n.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

const FIELDS = ["title", "type", "practice", "script", "text", "narrator_id"];

/** What Generate waits for, or what becomes of it. */
function standing(kind: Kind, answers: Answers): string {
  const waits = missing(answers).map((name) =>
    name === "script" && kind === "article" ? copy.form.missing.text : copy.form.missing[name],
  );
  return waits.length > 0 ? copy.form.needs(waits) : copy.form.stays[kind];
}

/** One of the two generators beside its card. What is written stays through a reload; what is being made is found again. */
export function MakeForm({ kind, studio }: { kind: Kind; studio: GetStudioResponse }) {
  const { answers, change, madeId, setMade, again } = useAnswers(kind);
  const { make, pending, trouble, forget } = useMake(kind);
  const { made, gone, begin } = useFollowed(madeId);
  const fixed = madeId !== "";
  const off = missing(answers).length > 0 || (kind === "meditation" && faultyPause(answers.script) > 0);
  const changed = (part: Partial<Answers>) => {
    forget();
    change(part);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (off || fixed) return;
    const { answer } = await make(answers);
    if (!answer?.made) return;
    begin(answer.made);
    setMade(answer.made.item?.id ?? "");
  };
  const parts: PartProps = { kind, studio, answers, change: changed, fixed, refused: trouble };
  return (
    <div className={css.columns}>
      <form
        className={css.form}
        aria-label={copy.form.name[kind]}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <What {...parts} />
        <Script {...parts} />
        <How {...parts} />
        {trouble && !FIELDS.includes(trouble.field) ? <ErrorNote message={trouble.message} /> : null}
        {fixed ? (
          <Making kind={kind} made={made} gone={gone} onAgain={again} />
        ) : (
          <div className={css.go}>
            <Button
              look="primary"
              type="submit"
              className={css.make}
              pending={pending}
              unavailable={off}
              aria-describedby={`${kind}-standing`}
            >
              {copy.form.make}
            </Button>
            <span className="small muted" id={`${kind}-standing`}>
              {standing(kind, answers)}
            </span>
          </div>
        )}
      </form>
      <aside className={css.aside} aria-label={copy.card.label}>
        <CardPreview kind={kind} studio={studio} answers={answers} />
        {made && !isUnderWay(made) ? null : <FirstPassage kind={kind} answers={answers} />}
      </aside>
    </div>
  );
}
