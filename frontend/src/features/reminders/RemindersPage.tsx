import type { FormEvent } from "react";
import { useId, useState } from "react";
import { reminders as copy } from "@/copy/reminders";
import { useMember } from "@/lib/session";
import { Button, IconButton } from "@/ui/Button";
import { Chip } from "@/ui/Choice";
import { Field, FieldError } from "@/ui/Field";
import { PageHead } from "@/ui/PageHead";
import { Panel } from "@/ui/Panel";
import { TextButton } from "@/ui/TextButton";
import { DAYS } from "./ics";
import type { Fault, Reminder } from "./reminder";
import { faultsOf, fileOf, MOST_MINUTES, MOST_TIMES, MOST_TITLE } from "./reminder";
import css from "./RemindersPage.module.css";
import { saveFile } from "./save-file";
import { Opens } from "./Opens";

/** Nothing is chosen for anybody: a member says when, or there is no reminder. */
const FIRST: Reminder = { days: [], times: [""], title: copy.usualName, minutes: 15, path: "" };

interface PartProps {
  reminder: Reminder;
  set: (part: Partial<Reminder>) => void;
  fault: string | undefined;
}

function Days({ reminder: { days }, set, fault }: PartProps) {
  const id = useId();
  return (
    <fieldset className={css.group} aria-describedby={fault ? id : undefined}>
      <legend className={css.legend}>{copy.days}</legend>
      <div className={css.chips}>
        {DAYS.map((day) => (
          <Chip
            key={day}
            name="days"
            checked={days.includes(day)}
            onChange={({ target }) =>
              set({ days: target.checked ? [...days, day] : days.filter((each) => each !== day) })
            }
          >
            {copy.dayNames[day]}
          </Chip>
        ))}
      </div>
      {fault ? <FieldError id={id}>{fault}</FieldError> : null}
    </fieldset>
  );
}

function Times({ reminder: { times }, set, fault }: PartProps) {
  const change = (nth: number, time: string) =>
    set({ times: times.map((each, i) => (i === nth ? time : each)) });
  return (
    <fieldset className={css.group}>
      <legend className={css.legend}>{copy.times}</legend>
      {times.map((time, nth) => (
        // A time is known by its place: the third is the third, whatever it says.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={nth} className={css.time}>
          <Field
            label={copy.time(nth)}
            type="time"
            name="times"
            value={time}
            error={nth === 0 ? fault : undefined}
            onChange={({ target }) => change(nth, target.value)}
          />
          {nth > 0 ? (
            <IconButton
              icon="close"
              label={copy.takeAway(copy.time(nth))}
              onClick={() => set({ times: times.filter((_, i) => i !== nth) })}
            />
          ) : null}
        </div>
      ))}
      {times.length < MOST_TIMES ? (
        <TextButton onClick={() => set({ times: [...times, ""] })}>{copy.addTime}</TextButton>
      ) : null}
    </fieldset>
  );
}

/** How the file is used, and how what it made is removed. */
function How() {
  const { title, add, zone, change, remove } = copy.how;
  return (
    <Panel title={title} className={css.how}>
      <ul>
        {[add, zone, change, remove].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Panel>
  );
}

/** Makes the file, or says what is missing. */
function useMaking(reminder: Reminder) {
  const member = useMember();
  const [said, say] = useState("");
  const [asked, ask] = useState(false);
  const faults = faultsOf(reminder);
  const make = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask(true);
    const [first] = faults;
    if (first) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return say(copy.faultsAbove);
    }
    const { origin } = window.location;
    const file = await fileOf(reminder, {
      member: member?.uid ?? "",
      now: new Date(),
      origin,
      describe: copy.describe,
    });
    saveFile(copy.file, file);
    say(copy.made);
  };
  const faultOf = (fault: Fault) => (asked && faults.includes(fault) ? copy.faults[fault] : undefined);
  return { said, make, faultOf, hush: () => say("") };
}

/** A member's reminders: a calendar file, made here and kept nowhere. */
export function RemindersPage() {
  const [reminder, change] = useState(FIRST);
  const { said, make, faultOf, hush } = useMaking(reminder);
  const set = (part: Partial<Reminder>) => {
    hush();
    change({ ...reminder, ...part });
  };
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      <div className={css.columns}>
        <form className={css.form} onSubmit={(event) => void make(event)} noValidate>
          <Days reminder={reminder} set={set} fault={faultOf("days")} />
          <Times reminder={reminder} set={set} fault={faultOf("times")} />
          <Field
            label={copy.name}
            name="title"
            value={reminder.title}
            maxLength={MOST_TITLE}
            error={faultOf("title")}
            onChange={({ target }) => set({ title: target.value })}
          />
          <Field
            label={copy.minutes}
            name="minutes"
            type="number"
            inputMode="numeric"
            min={1}
            max={MOST_MINUTES}
            value={Number.isNaN(reminder.minutes) ? "" : reminder.minutes}
            error={faultOf("minutes")}
            onChange={({ target }) =>
              set({ minutes: target.value === "" ? Number.NaN : Number(target.value) })
            }
          />
          <Opens path={reminder.path} onChange={(path) => set({ path })} />
          <Button look="primary" wide type="submit">
            {copy.make}
          </Button>
          <p className={css.said} role="status">
            {said}
          </p>
        </form>
        <How />
      </div>
    </div>
  );
}
