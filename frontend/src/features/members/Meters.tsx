import type { CSSProperties } from "react";
import { members } from "@/copy/members";
import type { Credits } from "@/lib/boot";
import { formatNumber } from "@/lib/format";
import { classes } from "@/ui/classes";
import css from "./Meters.module.css";

const words = members.credits;

interface MeterProps {
  name: string;
  value: string;
  share: number;
  brass?: boolean;
}

function Meter({ name, value, share, brass }: MeterProps) {
  const style: CSSProperties & Record<"--share", string> = { "--share": `${Math.min(1, share) * 100}%` };
  return (
    <div className={classes(css.meter, brass && css.brass)}>
      <dt>{name}</dt>
      <dd className={css.bar} style={style} aria-hidden="true" />
      <dd className={css.value}>{value}</dd>
    </div>
  );
}

/**
 * The two pools of a paid plan. `granted`: what there was to begin with; 0 where it is not known. What was held during a change and is
 * given back afterwards comes on top of it: then it is not said.
 */
export function Meters({ credits, granted }: { credits: Credits; granted: number }) {
  const left = formatNumber(credits.plan);
  const of = granted >= credits.plan ? granted : 0;
  const ofPlan = of > 0 ? words.of(left, formatNumber(of)) : left;
  return (
    <dl className={css.meters}>
      <Meter name={words.plan} value={ofPlan} share={of > 0 ? credits.plan / of : Number(credits.plan > 0)} />
      <Meter
        brass
        name={words.topUpPool}
        value={formatNumber(credits.topUp)}
        share={Number(credits.topUp > 0)}
      />
    </dl>
  );
}
