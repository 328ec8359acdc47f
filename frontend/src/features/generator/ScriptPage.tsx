import { Code } from "@connectrpc/connect";
import { useState } from "react";
import { generator } from "@/copy/generator";
import { script as copy } from "@/copy/script";
import { toUserError } from "@/data/errors";
import { useData } from "@/data/data";
import { invalidate, useWrite } from "@/data/mutation";
import type { Draft, DraftProblem } from "@/gen/serein/web/v1/drafts_pb";
import { DraftService } from "@/gen/serein/web/v1/drafts_pb";
import { paths } from "@/lib/paths";
import { useNavigate, useParams } from "@/lib/router";
import { useMember } from "@/lib/session";
import { useTitle } from "@/lib/title";
import { openTopUp } from "@/lib/top-up";
import { Button, ButtonLink } from "@/ui/Button";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorNote, ErrorPanel } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { OUT_OF_CREDITS, usesText } from "./model";
import css from "./Script.module.css";
import { LET_GO } from "./script-data";
import { ScriptLine } from "./ScriptLine";
import type { LineWrites } from "./useScript";
import { useLines, useScript } from "./useScript";
import { useGenerate } from "./useGenerate";

const Gone = () => (
  <Empty
    as="h1"
    title={copy.gone.title}
    action={
      <ButtonLink look="primary" to={paths.generator}>
        {copy.gone.action}
      </ButtonLink>
    }
  >
    {copy.gone.text}
  </Empty>
);

/** "2.5", and whether it is one second. */
function pauseOf(ms: bigint): [string, boolean] {
  const seconds = Number(ms) / 1000;
  return [String(seconds), seconds === 1];
}

interface PassagesProps {
  draft: Draft;
  writes: LineWrites;
}

/** The words by passages, with the silence after each. One line at a time is open. */
function Passages({ draft, writes }: PassagesProps) {
  const [open, setOpen] = useState(0);
  const problemOf = (number: number) => draft.problems.find(({ line }) => line === number)?.message ?? "";
  return (
    <ol className={css.passages}>
      {draft.passages.map(({ lines, pauseMs }, index) => (
        <li key={index} aria-label={copy.passage(index + 1)}>
          <ul className={css.lines}>
            {lines.map((line) => (
              <ScriptLine
                key={line.number}
                line={line}
                writes={writes}
                problem={problemOf(line.number)}
                spent={draft.rewritesLeft === 0}
                open={open === line.number}
                onOpen={(now) => setOpen(now ? line.number : 0)}
              />
            ))}
          </ul>
          <p className={css.pause}>{copy.pause(...pauseOf(pauseMs))}</p>
        </li>
      ))}
    </ol>
  );
}

/** The first line that a problem is about; 0 for none. */
function lineOf(draft: Draft, { line, passage }: DraftProblem): number {
  return line || (draft.passages[passage - 1]?.lines[0]?.number ?? 0);
}

function Problems({ draft }: { draft: Draft }) {
  if (draft.problems.length === 0) return null;
  return (
    <div className={css.problems} id="problems">
      <h2>{copy.problems}</h2>
      <ul>
        {draft.problems.map((problem, index) => {
          const line = lineOf(draft, problem);
          return (
            <li key={index}>
              {problem.message} {line ? <a href={`#line-${line}`}>{copy.toLine(line)}</a> : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Gives the focus to what has come in the place of what had it. */
const focus = (element: HTMLElement | null): void => element?.focus();

/** Start over, asked twice: the member's changes go with it. */
function StartOver({ draft }: { draft: Draft }) {
  const [state, setState] = useState<"" | "asking" | "kept">("");
  const navigate = useNavigate();
  const { send, pending, trouble } = useWrite(LET_GO);
  const letGo = async () => {
    const sent = await send({ id: draft.id });
    if (sent.answer) navigate(paths.generator);
  };
  if (state !== "asking")
    return (
      <TextButton ref={state === "kept" ? focus : undefined} onClick={() => setState("asking")}>
        {copy.over.action}
      </TextButton>
    );
  return (
    <div className={css.over} role="group" aria-label={copy.over.ask}>
      <p>{copy.over.ask}</p>
      {trouble ? <ErrorNote message={trouble.message} /> : null}
      <Button small look="danger" pending={pending} onClick={() => void letGo()}>
        {copy.over.yes}
      </Button>
      <Button small ref={focus} onClick={() => setState("kept")}>
        {copy.over.no}
      </Button>
    </div>
  );
}

/** What it costs, what is in the way, and Narrate it. */
function Pay({ draft, reread }: { draft: Draft; reread: () => unknown }) {
  const credits = useMember()?.credits;
  const data = useData();
  const { narrate, pending, trouble } = useGenerate();
  const short = credits ? credits.plan + credits.topUp < draft.cost : true;
  const broke = short || trouble?.reason === "INSUFFICIENT_CREDITS";
  const press = async () => {
    const refused = await narrate(draft);
    // Narrated, the script is gone from those that wait.
    if (!refused) invalidate(data, [DraftService.method.listDrafts]);
    if (refused?.reason.startsWith("DRAFT_")) void reread();
  };
  const unavailable = broke || draft.problems.length > 0;
  return (
    <div className={css.pay}>
      {trouble && !broke ? <ErrorNote message={trouble.message} /> : null}
      <Button
        look="primary"
        pending={pending}
        unavailable={unavailable}
        aria-describedby={draft.problems.length > 0 ? "problems script-price" : "script-price"}
        onClick={() => void press()}
      >
        {pending ? copy.sending : copy.narrate}
      </Button>
      <p className="small muted tnum" id="script-price">
        {broke || !credits ? OUT_OF_CREDITS : `${usesText(draft.cost, credits)} ${generator.charged}`}
      </p>
      {broke ? (
        <TextButton aria-haspopup="dialog" onClick={openTopUp}>
          {generator.creditsLink}
        </TextButton>
      ) : null}
    </div>
  );
}

function Script({ draft, reread }: { draft: Draft; reread: () => unknown }) {
  const { writes, news } = useLines(draft, reread);
  useTitle(draft.title);
  const { typeName, practiceName, sizeName, narratorName, trackName, words, minWords, maxWords } = draft;
  return (
    <div className="wrap">
      <PageHead title={draft.title} lead={copy.lead} className={css.head}>
        <p className="small muted">
          {copy.facts([sizeName, typeName, practiceName, copy.narrator(narratorName), trackName])}
        </p>
      </PageHead>
      <div className={css.page}>
        <Passages draft={draft} writes={writes} />
        <aside className={css.side}>
          <p className="tnum" role="status">
            {news} {copy.words(words, minWords, maxWords)}
          </p>
          <Problems draft={draft} />
          <Pay draft={draft} reread={reread} />
          <StartOver draft={draft} />
          <p className="small muted">{copy.kept}</p>
        </aside>
      </div>
    </div>
  );
}

/** A script that is read, and may be changed, before it is narrated and paid for. */
export function ScriptPage() {
  const { script: id = "" } = useParams();
  const { data, error, refetch } = useScript(id);
  if (error && toUserError(error).code === Code.NotFound) return <Gone />;
  if (data?.draft) return <Script draft={data.draft} reread={refetch} />;
  if (!error) return <PageLoader label={copy.loading} />;
  const { title, message } = toUserError(error);
  return <ErrorPanel as="h1" title={title} message={message} onRetry={() => void refetch()} />;
}
