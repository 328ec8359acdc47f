import { members } from "@/copy/members";
import type { Credits } from "@/lib/boot";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Beads } from "@/ui/Beads";
import { ButtonLink } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import css from "./Balance.module.css";

const words = members.credits;

/** `of`: how many there were at first, so that spent ones show as empty beads; 0 where that says nothing. */
export function Balance({ credits, of }: { credits: Credits; of: number }) {
  const left = credits.plan + credits.topUp;
  const make =
    left > 0 ? (
      <ButtonLink look="tint" small to={paths.generator}>
        {words.make}
      </ButtonLink>
    ) : null;
  return (
    <Panel title={words.title} action={make}>
      <div className={css.balance}>
        <p className={css.number}>
          <b>{formatNumber(left)}</b>
          <span>{words.left(credits.held, of)}</span>
        </p>
        <Beads credits={credits} of={of} className={css.beads} />
        <p className={css.text}>{words.text}</p>
      </div>
    </Panel>
  );
}
