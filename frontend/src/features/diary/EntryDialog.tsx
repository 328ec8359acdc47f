import { diary } from "@/copy/diary";
import { ADD_ENTRY, lineFault } from "@/data/diary";
import { useWrite } from "@/data/mutation";
import { useTextForm } from "@/data/useTextForm";
import { now } from "@/lib/clock";
import { localDate } from "@/lib/format";
import { Field } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";

const words = diary.entryDialog;

/** The first day that a diary can have. */
const FIRST = "2000-01-01";

const dayFault = (day: string): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(day) && day >= FIRST && day <= localDate(now()) ? undefined : diary.noDay;

/** Writes an entry by hand: a day and a line. */
export default function EntryDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { send, pending } = useWrite(ADD_ENTRY);
  const today = localDate(now());
  const { field, submit, trouble } = useTextForm({
    begin: { day: today, line: "" },
    checks: { day: dayFault, line: (line) => lineFault(line, true) },
    failed: diary.failed,
    lost: diary.lost,
  });
  const save = submit(async ({ day, line }) => {
    const sent = await send({ day, line: line.trim() });
    if (sent.trouble) return sent.trouble;
    onClose();
    onDone();
    return null;
  });
  return (
    <FormDialog
      title={words.title}
      lead={words.lead}
      action={words.save}
      pending={pending}
      trouble={trouble}
      onSubmit={save}
      onClose={onClose}
    >
      <Field {...field("day")} type="date" label={words.day} min={FIRST} max={today} readOnly={pending} />
      <Field
        {...field("line")}
        label={diary.line}
        hint={diary.lineHint}
        data-first=""
        autoComplete="off"
        readOnly={pending}
      />
    </FormDialog>
  );
}
