import { useCallback, useEffect } from "react";
import { timer as copy } from "@/copy/timer";
import { useData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { useApp } from "@/lib/app";
import { formatClock } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link, useLocation } from "@/lib/router";
import { IconButton } from "@/ui/Button";
import type { Plan } from "./plan";
import css from "./SittingBar.module.css";
import type { Sitting } from "./sitting";
import { useAt, useSitting } from "./use-sitting";

function Left({ sitting, plan }: { sitting: Sitting; plan: Plan }) {
  const { of, beginsMs, endsMs } = plan;
  const open = of.kind === "timer" && of.settings.openEnded;
  const pick = useCallback(
    (ms: number) =>
      open ? formatClock(Math.max(0, ms - beginsMs)) : copy.left(formatClock(Math.max(0, endsMs - ms))),
    [open, beginsMs, endsMs],
  );
  return <span>{useAt(sitting, pick)}</span>;
}

/** A sitting that goes on while one looks at other pages: what is left of it, and the way to stop its sound. */
function SittingBar() {
  const { sitting, now } = useSitting();
  const { pathname } = useLocation();
  const { plan, state } = now;
  if (!sitting || !plan || pathname === paths.timer || (state !== "running" && state !== "paused"))
    return null;
  const { kind } = plan.of;
  const paused = state === "paused";
  return (
    <section className={css.bar} data-theme="dark" aria-label={copy.bar.name}>
      <Link className={css.text} to={kind === "breath" ? paths.breath : paths.timer}>
        <b>{copy.kinds[kind]}</b>
        <Left sitting={sitting} plan={plan} />
      </Link>
      <IconButton
        icon={paused ? "play" : "pause"}
        label={paused ? copy.resume : copy.pause}
        onClick={paused ? sitting.resume : sitting.pause}
      />
      <IconButton icon="close" label={copy.stop} onClick={sitting.stop} />
    </section>
  );
}

/** A part of Data: whether the bar stands at the foot of the pages. */
const createPlace = () => ({ taken: false });

/** Has the bar stand at the foot of every page from now on, with the mini player. Call it after `useMiniPlayer`. */
export function useSittingBar(): void {
  const data = useData();
  const { mini } = useApp();
  useEffect(() => {
    const place = data.part(createPlace);
    if (place.taken) return;
    place.taken = true;
    mini.set(
      <>
        {mini.get()}
        <DataProvider data={data}>
          <SittingBar />
        </DataProvider>
      </>,
    );
  }, [data, mini]);
}
