import { journey as copy } from "@/copy/journey";
import { Link } from "@/lib/router";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import css from "./Bespoke.module.css";
import { BespokePlate } from "./BespokePlate";
import { Panel } from "./Panel";
import panel from "./Panel.module.css";
import { useBespoke } from "./useBespoke";

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
  return (
    <Panel
      title={copy.bespoke}
      read={query}
      shown={meditations.length}
      total={query.total}
      search={search}
      onClear={onClear}
      nothing={{ ...copy.empty, action: Make }}
    >
      <div className={panel.grid}>
        {meditations.map((m) => (
          <BespokePlate key={m.id} m={m} />
        ))}
        {search ? null : <MakeTile />}
      </div>
    </Panel>
  );
}
