import { useQuery } from "@connectrpc/connect-query";
import type { UseFormReturn } from "react-hook-form";
import { script as copy } from "@/copy/script";
import type { UserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import { DraftService } from "@/gen/serein/web/v1/drafts_pb";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { Link, useNavigate } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { ErrorNote, Note } from "@/ui/States";
import { needsCare } from "./care-model";
import type { Answers } from "./model";
import { isAboutTitle } from "./model";
import { keepsInside } from "./outside-model";
import css from "./ReadFirst.module.css";
import { WRITE } from "./script-data";
import { spokenName } from "./spokenName";
import { requestOf } from "./useGenerate";

/** Scripts of the member that wait to be read. */
function Waiting() {
  const { data } = useQuery(DraftService.method.listDrafts, {});
  const drafts = data?.drafts ?? [];
  if (drafts.length === 0) return null;
  return (
    <Note icon="clock">
      {copy.waiting.text}
      <ul className={css.waiting}>
        {drafts.map(({ id, title }) => (
          <li key={id}>
            <Link to={paths.script(id)}>{copy.waiting.open(title)}</Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}

interface ReadFirstProps {
  form: UseFormReturn<Answers>;
  page: GetGeneratorResponse;
  /** Shows what belongs to the title, as after Generate. */
  onRefused: (trouble: UserError, answers: Answers) => void;
}

/** The quiet choice beside Generate: the script is written and shown, and nothing is held. */
export default function ReadFirst({ form, page, onRefused }: ReadFirstProps) {
  const navigate = useNavigate();
  const name = spokenName(useMember()?.givenName);
  const { send, pending, trouble } = useWrite(WRITE);
  const write = form.handleSubmit(async (answers) => {
    const sent = await send(requestOf({ ...answers, keepInside: keepsInside(answers, page) }, name));
    if (sent.trouble) return onRefused(sent.trouble, answers);
    const id = sent.answer.draft?.id;
    if (id) navigate(paths.script(id));
  });
  const said = trouble && !isAboutTitle(trouble) && !needsCare(trouble) ? trouble.message : "";
  return (
    <div className={css.first}>
      {said ? <ErrorNote message={said} /> : null}
      <div className={css.choice}>
        <Button look="quiet" pending={pending} onClick={() => void write()} aria-describedby="read-first">
          {pending ? copy.first.writing : copy.first.action}
        </Button>
        <p className="small muted" id="read-first">
          {copy.first.text}
        </p>
      </div>
      <Waiting />
    </div>
  );
}
