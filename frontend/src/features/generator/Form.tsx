import type { FormEvent } from "react";
import { useState } from "react";
import { Link } from "@/lib/router";
import { generator as copy } from "@/copy/generator";
import type { GetGeneratorResponse, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { PageHead } from "@/ui/PageHead";
import { Note } from "@/ui/States";
import { draft, keepDraft, notice } from "./draft";
import css from "./Form.module.css";
import { Edition } from "./Edition";
import type { Answers } from "./model";
import { answersOf, barOf, costOf, freshAnswers, titleFault, titleWords } from "./model";
import { Pay } from "./Pay";
import { PracticeQuestion, TypeQuestion } from "./SelectQuestions";
import { SizeQuestion } from "./SizeQuestion";
import { SoundQuestion } from "./SoundQuestion";
import { TitleQuestion } from "./TitleQuestion";
import { useGenerate } from "./useGenerate";

interface FormProps {
  page: GetGeneratorResponse;
  /** The meditation whose answers stand on the form: one that failed or was cancelled. */
  from?: Meditation;
  /** What happened to it. */
  news?: string;
}

/** "One is being made right now": offered to whoever comes back. */
function Running({ page }: { page: GetGeneratorResponse }) {
  if (!page.running) return null;
  return (
    <div className={css.news}>
      <Note icon="clock">
        {copy.running.text(page.running.title)}{" "}
        <Link to={paths.meditation(page.running.id)}>{copy.running.action}</Link>
      </Note>
    </div>
  );
}

/** Five questions beside the live cover. */
export function Form({ page, from, news }: FormProps) {
  const { openSignUp } = useAccountPanel();
  const kept = useStore(draft);
  const said = useStore(notice);
  const credits = useMember()?.credits ?? null;
  const { generate, pending, trouble, forget } = useGenerate();
  const [tried, setTried] = useState(false);
  const answers = kept ?? (from ? answersOf(from, page) : freshAnswers(page));
  const set = (change: Partial<Answers>) => {
    keepDraft({ ...answers, ...change });
    forget();
    notice.set("");
  };
  const bar = barOf(answers, page, credits, pending);
  const fault = titleFault(answers.title);
  // An empty field is not scolded before a try; anything else is said at once.
  const shown = fault && (fault !== "TITLE_REQUIRED" || tried) ? fault : (trouble?.reason ?? "");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (bar === "visitor") openSignUp();
    if (bar === "title") event.currentTarget.querySelector<HTMLElement>("#title")?.focus();
    if (bar !== "") return;
    keepDraft(answers);
    notice.set("");
    void generate(answers);
  };
  const props = { page, answers, set };
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} className={css.head} />
      {news || said ? (
        <div className={css.news}>
          <Note
            {...(news ? { tone: "danger" as const } : { icon: "tick" as const, role: "status" as const })}
          >
            {news || said}
          </Note>
        </div>
      ) : (
        <Running page={page} />
      )}
      <div className={css.columns}>
        <form className={css.form} onSubmit={submit} noValidate>
          <TitleQuestion {...props} error={titleWords(shown)} onTry={() => setTried(true)} />
          <SizeQuestion {...props} />
          <TypeQuestion {...props} />
          <PracticeQuestion {...props} />
          <SoundQuestion {...props} />
          <Pay bar={bar} cost={costOf(answers.immersive, page)} credits={credits} trouble={trouble} />
        </form>
        <Edition answers={answers} page={page} />
      </div>
    </div>
  );
}
