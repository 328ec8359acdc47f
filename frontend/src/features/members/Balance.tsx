import { members } from "@/copy/members";
import type { Credits } from "@/lib/boot";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { openTopUp } from "@/lib/top-up";
import { Beads } from "@/ui/Beads";
import { Button, ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";
import css from "./Balance.module.css";

const words = members.credits;

/** `of`: how many there were at first, so that spent ones show as empty beads; 0 where that says nothing. */
export function Balance({ credits, of }: { credits: Credits; of: number }) {
  const left = credits.plan + credits.topUp;
  const actions = (
    <div className={css.actions}>
      <Button small aria-haspopup="dialog" onClick={openTopUp}>
        <Icon name="plus" />
        {words.topUp}
      </Button>
      {left > 0 ? (
        <ButtonLink look="tint" small to={paths.generator}>
          {words.make}
        </ButtonLink>
      ) : null}
    </div>
  );
  return (
    <Panel title={words.title} action={actions}>
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
