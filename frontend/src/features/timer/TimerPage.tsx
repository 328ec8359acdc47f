import { useId, useState } from "react";
import { timer as copy } from "@/copy/timer";
import { useInBrowser } from "@/lib/in-browser";
import { useFilters } from "@/lib/filters";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { PageHead } from "@/ui/PageHead";
import { panelProps, TabList } from "@/ui/TabList";
import { BreathForm } from "./BreathForm";
import css from "./Forms.module.css";
import type { Settings } from "./kept";
import { keepSettings, keptSettings } from "./kept";
import { breathPlan, timerPlan } from "./plan";
import { Ended, Running } from "./Running";
import { BREATH_DEFAULTS, TIMER_DEFAULTS } from "./settings";
import type { Sitting } from "./sitting";
import { TimerForm } from "./TimerForm";
import { useSittingBar } from "./SittingBar";
import { useSitting } from "./use-sitting";

const TABS = ["timer", "breath"] as const;

const DEFAULTS: Settings = { timer: TIMER_DEFAULTS, breath: BREATH_DEFAULTS };

/** What is set, kept for this tab. The build's markup shows the usual settings. */
function useSettings() {
  const inBrowser = useInBrowser();
  const [chosen, choose] = useState<Settings | null>(null);
  const settings = chosen ?? (inBrowser ? keptSettings() : DEFAULTS);
  const set = (part: Partial<Settings>) => {
    const next = { ...settings, ...part };
    choose(next);
    keepSettings(next);
  };
  return { settings, set };
}

/** The two tabs; which one is open stands in the address. */
function Forms({ sitting }: { sitting: Sitting | null }) {
  const base = useId();
  const { get, set: setFilter } = useFilters();
  const selected = get("tab") === "breath" ? "breath" : "timer";
  const { settings, set } = useSettings();
  const tabs = TABS.map((id) => ({ id, label: copy.tabNames[id] }));
  return (
    <>
      <TabList
        className={css.tabs}
        base={base}
        label={copy.tabs}
        tabs={tabs}
        selected={selected}
        onSelect={(id) => setFilter({ tab: id === "breath" ? id : "" }, true)}
      />
      <div role="tabpanel" {...panelProps(base, selected)}>
        {selected === "timer" ? (
          <TimerForm
            settings={settings.timer}
            onChange={(timer) => set({ timer })}
            onBegin={() => sitting?.begin(timerPlan(settings.timer))}
            onHear={(sound) => sitting?.hear(sound)}
          />
        ) : (
          <BreathForm
            settings={settings.breath}
            onChange={(breath) => set({ breath })}
            onBegin={() => sitting?.begin(breathPlan(settings.breath))}
          />
        )}
      </div>
    </>
  );
}

/** A meditation timer and a breath pacer, for everybody. */
export function TimerPage() {
  useMiniPlayer();
  useSittingBar();
  const member = useMember();
  const { sitting, now } = useSitting();
  const { plan, state } = now;
  const under = sitting && plan && (state === "running" || state === "paused");
  return (
    <div className="wrap">
      <div className={css.page}>
        <PageHead title={copy.title} lead={copy.lead} />
        {under ? <Running sitting={sitting} now={now} plan={plan} /> : null}
        {sitting && plan && state === "ended" ? <Ended sitting={sitting} plan={plan} /> : null}
        {under ? null : <Forms sitting={sitting} />}
        {member && !under ? (
          <p className={css.links}>
            <Link to={paths.reminders}>{copy.reminders}</Link>
          </p>
        ) : null}
      </div>
    </div>
  );
}
