import { own } from "@/copy/own";
import { useData } from "@/data/data";
import { useWrite } from "@/data/mutation";
import type { OwnNews } from "@/data/own";
import { refusal, RENAME } from "@/data/own";
import { useTextForm } from "@/data/useTextForm";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { titleFault, titleWords } from "@/lib/title-rules";
import { Field } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";

const words = own.dialog;

/** What is too long may need care, which only the server can tell: it is sent, and its answer stands at the field. */
const faultOf = (title: string): string | undefined => {
  const fault = titleFault(title);
  return fault === "TITLE_REQUIRED" ? titleWords(fault) : undefined;
};

interface RenameDialogProps {
  m: Meditation;
  onClose: () => void;
  onDone: (news: OwnNews) => void;
}

/** Gives one of the member's own another title, by the rules of the generator's. */
export default function RenameDialog({ m, onClose, onDone }: RenameDialogProps) {
  const data = useData();
  const { send, pending } = useWrite(RENAME);
  const { field, submit, trouble } = useTextForm({
    begin: { title: m.title },
    checks: { title: faultOf },
    failed: words.failed,
    lost: words.lost,
  });
  const save = submit(async (given) => {
    const title = given.title.trim();
    const sent = await send({ id: m.id, title });
    if (!sent.answer) {
      const { reason } = sent.trouble;
      const message = titleWords(reason) || refusal(data, m, sent.trouble);
      return { ...sent.trouble, message };
    }
    onClose();
    onDone({ text: own.renamed(sent.answer.meditation?.title ?? title) });
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
      <Field {...field("title")} label={words.label} data-first="" autoComplete="off" readOnly={pending} />
    </FormDialog>
  );
}
