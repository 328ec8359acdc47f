import { journey as copy } from "@/copy/journey";
import { useOwn } from "@/data/own";
import { DeletedCard } from "./DeletedCard";
import { OwnStrip } from "./OwnStrip";
import { Panel } from "./Panel";
import panel from "./Panel.module.css";
import { useBespoke } from "./useBespoke";

/** What the member has marked deleted, the last one first, and what is gone by now. */
export default function Deleted({ search, onClear }: { search: string; onClear: () => void }) {
  const query = useBespoke(search, true);
  const meditations = query.meditations ?? [];
  const own = useOwn();
  return (
    <Panel
      title={copy.deleted}
      aside={copy.keptFor}
      read={query}
      shown={meditations.length}
      total={query.total}
      search={search}
      onClear={onClear}
      nothing={copy.nothingDeleted}
      news={<OwnStrip own={own} />}
    >
      <div className={panel.grid}>
        {meditations.map((m) => (
          <DeletedCard key={m.id} m={m} onRecover={() => void own.recover(m)} />
        ))}
      </div>
    </Panel>
  );
}
