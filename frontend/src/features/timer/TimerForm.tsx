import type { ReactNode } from "react";
import { useId } from "react";
import { timer as copy } from "@/copy/timer";
import { Button, IconButton } from "@/ui/Button";
import { Chip, Segmented, Switch } from "@/ui/Choice";
import { Field, Select } from "@/ui/Field";
import css from "./Forms.module.css";
import type { BellChoice, Loudness, TimerSettings } from "./settings";
import { BELL_CHOICES, LEVELS, LOUDNESSES, OPEN_MINUTES, TIMER_LIMITS } from "./settings";
import { ring } from "./sound/bells";
import { pcmOf, wavOf } from "./sound/wav";
import { useNumber } from "./use-number";

const QUICK = [5, 10, 15, 20, 30, 45, 60] as const;
const PREPARE = [0, 5, 10, 20, 30, 60] as const;
const EVERY = [0, 1, 2, 3, 5, 10, 15, 20, 30, 60] as const;

/** The values offered, and the set one if it is another. */
const offered = (values: readonly number[], set: number): number[] =>
  [...new Set([...values, set])].toSorted((a, b) => a - b);

/** A bell, as the file that is played to choose by. */
const soundOf = (bell: Exclude<BellChoice, "none">, loudness: Loudness): Blob =>
  wavOf([pcmOf(ring(bell).map((sample) => sample * LEVELS[loudness]))]);

interface BellProps {
  label: string;
  value: BellChoice;
  onChange: (bell: BellChoice) => void;
  onHear: (bell: Exclude<BellChoice, "none">) => void;
}

function Bell({ label, value, onChange, onHear }: BellProps) {
  const choose = (name: string) => onChange(BELL_CHOICES.find((bell) => bell === name) ?? "none");
  return (
    <div className={css.bell}>
      <Select label={label} value={value} onChange={(event) => choose(event.target.value)}>
        {BELL_CHOICES.map((bell) => (
          <option key={bell} value={bell}>
            {copy.bellNames[bell]}
          </option>
        ))}
      </Select>
      {value === "none" ? null : (
        <IconButton icon="play" label={copy.hear(label)} onClick={() => onHear(value)} />
      )}
    </div>
  );
}

export interface LoudnessProps {
  value: Loudness;
  onChange: (loudness: Loudness) => void;
}

/** How loud bells and tones are, as their sound is made. */
export function LoudnessChoice({ value, onChange }: LoudnessProps) {
  const options = LOUDNESSES.map((each) => ({ value: each, label: copy.loudnesses[each] }));
  return (
    <div className={css.group}>
      <h2>{copy.loudness}</h2>
      <Segmented label={copy.loudness} options={options} value={value} onChange={onChange} />
    </div>
  );
}

interface TimerFormProps {
  settings: TimerSettings;
  onChange: (settings: TimerSettings) => void;
  onBegin: () => void;
  /** Plays a bell to choose by. */
  onHear: (sound: Blob) => void;
  children?: ReactNode;
}

/** How long: a usual length by one press, or any other. */
function Length({ settings, onChange }: Pick<TimerFormProps, "settings" | "onChange">) {
  const name = useId();
  const { limits, field } = useNumber(settings.minutes, TIMER_LIMITS.minutes, (minutes) =>
    onChange({ ...settings, minutes }),
  );
  return (
    <fieldset className={css.group}>
      <legend>
        <h2>{copy.length}</h2>
      </legend>
      {settings.openEnded ? null : (
        <>
          <div className={css.chips}>
            {QUICK.map((minutes) => (
              <Chip
                key={minutes}
                type="radio"
                name={name}
                checked={settings.minutes === minutes}
                onChange={() => onChange({ ...settings, minutes })}
              >
                {copy.quick(minutes)}
              </Chip>
            ))}
          </div>
          <Field
            className={css.number}
            label={copy.minutes}
            hint={copy.minutesHint(limits.least, limits.most)}
            {...field}
          />
        </>
      )}
      <Switch
        checked={settings.openEnded}
        onChange={(event) => onChange({ ...settings, openEnded: event.target.checked })}
      >
        {copy.openEnded}
      </Switch>
      {settings.openEnded ? <p className={css.hint}>{copy.openHint(OPEN_MINUTES)}</p> : null}
    </fieldset>
  );
}

/** What the timer is set to, and the button that begins it. */
export function TimerForm({ settings, onChange, onBegin, onHear }: TimerFormProps) {
  const set = (part: Partial<TimerSettings>) => onChange({ ...settings, ...part });
  const hear = (bell: Exclude<BellChoice, "none">) => onHear(soundOf(bell, settings.loudness));
  return (
    <div className={css.form}>
      <Length settings={settings} onChange={onChange} />
      <div className={css.choice}>
        <Select
          label={copy.prepare}
          value={settings.prepareS}
          onChange={(event) => set({ prepareS: Number(event.target.value) })}
        >
          {offered(PREPARE, settings.prepareS).map((seconds) => (
            <option key={seconds} value={seconds}>
              {copy.prepareOf(seconds)}
            </option>
          ))}
        </Select>
      </div>
      <fieldset className={css.group}>
        <legend>
          <h2>{copy.bells}</h2>
        </legend>
        <Bell label={copy.start} value={settings.start} onChange={(start) => set({ start })} onHear={hear} />
        <div className={css.choice}>
          <Select
            label={copy.every}
            value={settings.everyMinutes}
            onChange={(event) => set({ everyMinutes: Number(event.target.value) })}
          >
            {offered(EVERY, settings.everyMinutes).map((minutes) => (
              <option key={minutes} value={minutes}>
                {copy.everyOf(minutes)}
              </option>
            ))}
          </Select>
        </div>
        {settings.everyMinutes > 0 ? (
          <Bell
            label={copy.interval}
            value={settings.interval}
            onChange={(interval) => set({ interval })}
            onHear={hear}
          />
        ) : null}
        <Bell label={copy.end} value={settings.end} onChange={(end) => set({ end })} onHear={hear} />
      </fieldset>
      <LoudnessChoice value={settings.loudness} onChange={(loudness) => set({ loudness })} />
      <Button look="primary" wide onClick={onBegin}>
        {copy.begin}
      </Button>
    </div>
  );
}
