import { useQuery } from "@connectrpc/connect-query";
import { reminders as copy } from "@/copy/reminders";
import { JourneyService, SavedKind, Stage } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { Select } from "@/ui/Field";

interface Choice {
  path: string;
  title: string;
}

/** What of My Journey a reminder may open: the newest that can be heard. Without an answer the other choices remain. */
function useChoices() {
  const bespoke = useQuery(JourneyService.method.listBespoke, {});
  const saved = useQuery(JourneyService.method.listSaved, { kind: SavedKind.LIBRARY });
  const own: Choice[] | undefined = bespoke.data?.meditations
    .filter(({ stage }) => stage === Stage.READY)
    .map(({ id, title }) => ({ path: paths.listen(id), title }));
  const library: Choice[] | undefined = saved.data?.meditations.map(({ title, immersive }) => ({
    path: paths.inLibrary(title, immersive),
    title,
  }));
  const away = (bespoke.isError && !bespoke.data) || (saved.isError && !saved.data);
  return { own: own ?? [], library: library ?? [], away };
}

function Group({ label, choices }: { label: string; choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  return (
    <optgroup label={label}>
      {choices.map(({ path, title }) => (
        <option key={path} value={path}>
          {title}
        </option>
      ))}
    </optgroup>
  );
}

/** What the reminder opens. */
export function Opens({ path, onChange }: { path: string; onChange: (path: string) => void }) {
  const { own, library, away } = useChoices();
  const listed = own.length + library.length > 0;
  return (
    <Select
      label={copy.opens}
      value={path}
      {...(away ? { hint: copy.away } : listed && { hint: copy.newest })}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{copy.nothing}</option>
      <option value={paths.timer}>{copy.timer}</option>
      <option value={paths.breath}>{copy.breath}</option>
      <Group label={copy.bespoke} choices={own} />
      <Group label={copy.library} choices={library} />
    </Select>
  );
}
