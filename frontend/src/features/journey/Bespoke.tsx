import { lazy, Suspense, useState } from "react";
import { items } from "@/copy/items";
import { journey as copy } from "@/copy/journey";
import { useOwn } from "@/data/own";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Link } from "@/lib/router";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { toast } from "@/ui/toast/store";
import css from "./Bespoke.module.css";
import { BespokeCard } from "./BespokeCard";
import { OwnStrip } from "./OwnStrip";
import { Panel } from "./Panel";
import panel from "./Panel.module.css";
import { useBespoke } from "./useBespoke";

const RenameDialog = lazy(() => import("./RenameDialog"));
const KeepDialog = lazy(() => import("@/player/keep/KeepDialog"));
const ShareOwn = lazy(() => import("@/player/share/ShareOwn"));

function MakeTile() {
  const [first, second] = copy.makeTile;
  return (
    <Link className={css.make} to={paths.generator}>
      <Icon name="plus" />
      <span>
        {first}
        <br />
        {second}
      </span>
    </Link>
  );
}

const Make = (
  <ButtonLink look="primary" to={paths.generator}>
    {copy.make}
  </ButtonLink>
);

/** The bespoke meditations, in whichever state they are. */
export function Bespoke({ search, onClear }: { search: string; onClear: () => void }) {
  const query = useBespoke(search);
  const meditations = query.meditations ?? [];
  const own = useOwn();
  const [renamed, rename] = useState<Meditation | null>(null);
  const [shared, share] = useState<Meditation | null>(null);
  const [toKeep, keep] = useState<Meditation | null>(null);
  const mark = async (m: Meditation) => {
    if (await own.mark(m)) toast(items.removed);
  };
  const acts = { rename, share, keep, mark: (m: Meditation) => void mark(m) };
  return (
    <Panel
      title={copy.bespoke}
      read={query}
      shown={meditations.length}
      total={query.total}
      search={search}
      onClear={onClear}
      nothing={{ ...copy.empty, action: Make }}
      news={<OwnStrip own={own} />}
    >
      <div className={panel.grid}>
        {meditations.map((m) => (
          <BespokeCard key={m.id} m={m} acts={acts} />
        ))}
        {search ? null : <MakeTile />}
      </div>
      {renamed ? (
        <Suspense>
          <RenameDialog m={renamed} onClose={() => rename(null)} onDone={own.tell} />
        </Suspense>
      ) : null}
      {toKeep ? (
        <Suspense>
          <KeepDialog offer={{ own: toKeep }} onClose={() => keep(null)} />
        </Suspense>
      ) : null}
      {shared ? (
        <Suspense>
          <ShareOwn id={shared.id} title={shared.title} onClose={() => share(null)} />
        </Suspense>
      ) : null}
    </Panel>
  );
}
