import { timer as copy } from "@/copy/timer";
import { Button, IconButton } from "@/ui/Button";
import { Chip, Switch } from "@/ui/Choice";
import { Field } from "@/ui/Field";
import { Note } from "@/ui/States";
import { useId } from "react";
import { breathing } from "./breath";
import css from "./Forms.module.css";
import type { BreathSettings, Part } from "./settings";
import {
  BREATH_MINUTES,
  holdsBreath,
  PART_LIMITS,
  PARTS,
  PATTERN_NAMES,
  within,
  withPattern,
} from "./settings";
import { LoudnessChoice } from "./TimerForm";
import { useNumber } from "./use-number";

interface PartStepProps {
  part: Part;
  seconds: number;
  onChange: (seconds: number) => void;
}

/** The seconds of one part, by half a second. At a limit there is nothing to press. */
function PartStep({ part, seconds, onChange }: PartStepProps) {
  const limits = PART_LIMITS[part];
  const name = copy.parts[part];
  const step = (by: 1 | -1) => onChange(within(seconds + by * limits.step, limits, seconds));
  return (
    <div className={css.part} role="group" aria-label={name}>
      <span aria-hidden="true">{name}</span>
      <IconButton
        icon="minus"
        label={copy.fewer(name)}
        aria-disabled={seconds <= limits.least || undefined}
        onClick={() => step(-1)}
      />
      <output aria-live="polite">{copy.partSeconds(seconds)}</output>
      <IconButton
        icon="plus"
        label={copy.more(name)}
        aria-disabled={seconds >= limits.most || undefined}
        onClick={() => step(1)}
      />
    </div>
  );
}

interface BreathFormProps {
  settings: BreathSettings;
  onChange: (settings: BreathSettings) => void;
  onBegin: () => void;
}

/** For those who should not hold their breath: it stands with every pattern that holds it, and the way without is one press. */
function Care({ settings, onChange }: Omit<BreathFormProps, "onBegin">) {
  if (!holdsBreath(settings.seconds)) return <p className={css.hint}>{copy.ease}</p>;
  return (
    <Note tone="brass">
      <p>{copy.care.text}</p>
      <Button small className={css.without} onClick={() => onChange(withPattern(settings, "coherent"))}>
        {copy.care.without}
      </Button>
    </Note>
  );
}

function Pattern({ settings, onChange }: Omit<BreathFormProps, "onBegin">) {
  const name = useId();
  return (
    <fieldset className={css.group}>
      <legend>
        <h2>{copy.pattern}</h2>
      </legend>
      <div className={css.chips}>
        {PATTERN_NAMES.map((pattern) => (
          <Chip
            key={pattern}
            type="radio"
            name={name}
            checked={settings.pattern === pattern}
            onChange={() => onChange(withPattern(settings, pattern))}
          >
            {copy.patterns[pattern]}
          </Chip>
        ))}
      </div>
      <p className={css.hint}>{copy.patternHints[settings.pattern]}</p>
    </fieldset>
  );
}

/** How one wants to breathe, and the button that begins it. */
export function BreathForm({ settings, onChange, onBegin }: BreathFormProps) {
  const set = (part: Partial<BreathSettings>) => onChange({ ...settings, ...part });
  const { field } = useNumber(settings.minutes, BREATH_MINUTES, (minutes) => set({ minutes }));
  return (
    <div className={css.form}>
      <Pattern settings={settings} onChange={onChange} />
      <Care settings={settings} onChange={onChange} />
      <div className={css.group}>
        <h2>{copy.seconds}</h2>
        {PARTS.map((part) => (
          <PartStep
            key={part}
            part={part}
            seconds={settings.seconds[part]}
            onChange={(seconds) => set({ seconds: { ...settings.seconds, [part]: seconds } })}
          />
        ))}
      </div>
      <Field
        className={css.number}
        label={copy.minutes}
        hint={`${copy.minutesHint(BREATH_MINUTES.least, BREATH_MINUTES.most)} ${copy.wholeBreaths(breathing(settings).cycles)}`}
        {...field}
      />
      <Switch checked={settings.tones} onChange={(event) => set({ tones: event.target.checked })}>
        {copy.tones}
      </Switch>
      {settings.tones ? (
        <LoudnessChoice value={settings.loudness} onChange={(loudness) => set({ loudness })} />
      ) : null}
      <Button look="primary" wide onClick={onBegin}>
        {copy.begin}
      </Button>
    </div>
  );
}
