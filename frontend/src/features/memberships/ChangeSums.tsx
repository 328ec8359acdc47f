import { timestampMs } from "@bufbuild/protobuf/wkt";
import { memberships } from "@/copy/memberships";
import type { ChangeLine, ChangeQuote } from "@/gen/serein/web/v1/membership_pb";
import { ChangeLineKind } from "@/gen/serein/web/v1/membership_pb";
import { formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { classes } from "@/ui/classes";
import css from "./ChangeDialog.module.css";

const copy = memberships.changing;

/** How much of a period a plan's line is for. */
function timeOf({ kind, days, periodDays }: ChangeLine, { period, lines }: ChangeQuote): string {
  if (kind === ChangeLineKind.PLAN)
    return days === periodDays ? copy.whole(period) : copy.days(days, periodDays);
  const plan = lines.find((line) => line.kind === ChangeLineKind.PLAN);
  return plan?.days === days && plan.periodDays === periodDays
    ? copy.same(days)
    : copy.days(days, periodDays);
}

/** What a line is for, and the small print. */
function wordsOf(line: ChangeLine, quote: ChangeQuote): [name: string, detail: string] {
  switch (line.kind) {
    case ChangeLineKind.PLAN:
      return [line.planName, timeOf(line, quote)];
    case ChangeLineKind.UNUSED:
      return [copy.unused(line.planName), timeOf(line, quote)];
    case ChangeLineKind.WAITING:
      return [copy.waiting, copy.waitingText];
    default:
      return (line.amount?.amount ?? 0n) < 0n ? [copy.balance, copy.balanceText] : [copy.owed, copy.owedText];
  }
}

function Line({ line, quote }: { line: ChangeLine; quote: ChangeQuote }) {
  const [name, detail] = wordsOf(line, quote);
  return (
    <div className={classes((line.amount?.amount ?? 0n) < 0n && css.less)}>
      <dt>
        {name}
        <small>{detail}</small>
      </dt>
      <dd>{formatMoney(line.amount)}</dd>
    </div>
  );
}

/** What is charged now, or credited, and what it is made of. */
export function ChangeSums({ quote }: { quote: ChangeQuote }) {
  const { charged, credited } = quote;
  return (
    <dl className={css.sum}>
      {quote.lines.map((line, n) => (
        <Line key={n} line={line} quote={quote} />
      ))}
      <div className={css.total}>
        <dt>{credited ? copy.credited : copy.today}</dt>
        <dd>{formatMoney(credited ?? charged)}</dd>
      </div>
    </dl>
  );
}

/** "Premium, monthly" */
const named = ({ planName, period }: ChangeQuote): string =>
  period === "year" ? copy.yearly(planName) : copy.monthly(planName);

/** What is charged next. */
export function ChangeNext({ quote }: { quote: ChangeQuote }) {
  const { credited, next, nextChargeAt } = quote;
  if (!next || !nextChargeAt) return null;
  const text = copy.next(formatMoney(next), formatLongDate(timestampMs(nextChargeAt)), named(quote));
  return <p className={css.next}>{credited ? [copy.nothing, text].join(" ") : text}</p>;
}
