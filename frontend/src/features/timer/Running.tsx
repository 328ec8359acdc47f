import type { ReactNode } from "react";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { timer as copy } from "@/copy/timer";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { Icon } from "@/ui/Icon";
import { Note } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { BreathCircle } from "./BreathCircle";
import type { Plan } from "./plan";
import css from "./Running.module.css";
import type { Sitting, SittingSnapshot } from "./sitting";
import { spokenAt } from "./spoken";
import { TimerRing } from "./TimerRing";
import { useAt, useScreenOn } from "./use-sitting";

/** Says what a screen reader says by itself. */
function Says({ sitting, plan, parts }: { sitting: Sitting; plan: Plan; parts: boolean }) {
  const pick = useCallback((ms: number) => spokenAt(plan, ms, parts), [plan, parts]);
  const words = useAt(sitting, pick);
  return (
    <p className="sr" role="status">
      {words}
    </p>
  );
}

/** The focus stays with what one pressed: the button that was pressed is gone, and this one comes in its place. */
function useFocusLeft<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, []);
  return ref;
}

function Acts({ sitting, paused }: { sitting: Sitting; paused: boolean }) {
  const ref = useFocusLeft<HTMLButtonElement>();
  return (
    <div className={css.acts}>
      <Button ref={ref} look="primary" onClick={paused ? sitting.resume : sitting.pause}>
        <Icon name={paused ? "play" : "pause"} />
        {paused ? copy.resume : copy.pause}
      </Button>
      <Button onClick={sitting.stop}>{copy.stop}</Button>
    </div>
  );
}

const canKeepScreenOn = (): boolean => "wakeLock" in navigator;

interface RunningProps {
  sitting: Sitting;
  now: SittingSnapshot;
  plan: Plan;
}

/** What may be switched while it goes on. */
function Switches({ sitting, now, children }: Omit<RunningProps, "plan"> & { children?: ReactNode }) {
  const [screenOn, setScreenOn] = useState(false);
  useScreenOn(screenOn && now.state === "running");
  return (
    <div className={css.switches}>
      <Switch checked={!now.muted} onChange={(event) => sitting.mute(!event.target.checked)}>
        {copy.sound}
      </Switch>
      {canKeepScreenOn() ? (
        <Switch checked={screenOn} onChange={(event) => setScreenOn(event.target.checked)}>
          {copy.screenOn}
        </Switch>
      ) : null}
      {children}
    </div>
  );
}

/** A sitting under way: how far it is, and what can be done. */
export function Running({ sitting, now, plan }: RunningProps) {
  const title = useId();
  const [parts, setParts] = useState(false);
  const paused = now.state === "paused";
  const { of } = plan;
  return (
    <section className={css.running} aria-labelledby={title}>
      <h2 id={title}>{copy.kinds[of.kind]}</h2>
      {of.kind === "timer" ? (
        <TimerRing sitting={sitting} plan={plan} settings={of.settings} paused={paused} />
      ) : (
        <BreathCircle sitting={sitting} plan={plan} settings={of.settings} paused={paused} />
      )}
      {paused ? (
        <p className="sr" role="status">
          {copy.paused}
        </p>
      ) : (
        <Says sitting={sitting} plan={plan} parts={parts} />
      )}
      {now.silent ? (
        <Note tone="brass" role="status">
          {copy.silent.text} <TextButton onClick={sitting.resume}>{copy.silent.act}</TextButton>
        </Note>
      ) : null}
      <Acts sitting={sitting} paused={paused} />
      <Switches sitting={sitting} now={now}>
        {of.kind === "breath" ? (
          <Switch checked={parts} onChange={(event) => setParts(event.target.checked)}>
            {copy.sayParts}
          </Switch>
        ) : null}
      </Switches>
      {of.kind === "breath" ? <p className={css.ease}>{copy.ease}</p> : null}
    </section>
  );
}

/** It is over: a kind word, and no numbers. */
export function Ended({ sitting, plan }: { sitting: Sitting; plan: Plan }) {
  const ref = useFocusLeft<HTMLHeadingElement>();
  const words = copy.ended[plan.of.kind];
  return (
    <section className={css.running}>
      <h2 ref={ref} tabIndex={-1}>
        {words.title}
      </h2>
      <p role="status">{words.text}</p>
      <div className={css.acts}>
        <Button look="primary" onClick={sitting.stop}>
          {copy.ended.done}
        </Button>
        <Button onClick={() => sitting.begin(plan)}>{copy.ended.again}</Button>
      </div>
    </section>
  );
}
