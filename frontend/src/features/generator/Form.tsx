import type { FormEvent } from "react";
import { Suspense } from "react";
import { Link, useLocation } from "@/lib/router";
import { generator as copy } from "@/copy/generator";
import type { GetGeneratorResponse, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { useAccountPanel } from "@/lib/account-panel";
import type { UserError } from "@/data/errors";
import { paths } from "@/lib/paths";
import { preloadable } from "@/lib/preloadable";
import { useMember } from "@/lib/session";
import { titleWords } from "@/lib/title-rules";
import { Note } from "@/ui/States";
import { Care } from "./Care";
import { needsCare } from "./care-model";
import { CoverPreview } from "./CoverPreview";
import css from "./Form.module.css";
import type { Answers } from "./model";
import { blockerOf, costOf, isAboutTitle } from "./model";
import { NarratorQuestion } from "./NarratorQuestion";
import { newsFrom } from "./news";
import type { OutsideProps } from "./Outside";
import { keepsInside } from "./outside-model";
import { Pay } from "./Pay";
import { PracticeQuestion, TypeQuestion } from "./SelectQuestions";
import { SizeQuestion } from "./SizeQuestion";
import { SoundQuestion } from "./SoundQuestion";
import { TitleQuestion } from "./TitleQuestion";
import { useAnswers } from "./useAnswers";
import { useCare } from "./useCare";
import { useGenerate } from "./useGenerate";
import { useWaiting } from "./useWaiting";

const Outside = preloadable<OutsideProps>(() => import("./Outside"));
const ReadFirst = preloadable(() => import("./ReadFirst"));

interface FormProps {
  page: GetGeneratorResponse;
  /** The meditation whose answers stand on the form: one that failed or was cancelled. */
  from?: Meditation;
  /** What happened to it. */
  fault?: string;
}

/** What has happened, or that one is being made now. Its place above the form is kept only while it is needed. */
function News({ page, fault }: Pick<FormProps, "page" | "fault">) {
  const news = newsFrom(useLocation().state);
  if (fault) return <Note tone="danger">{fault}</Note>;
  if (news)
    return (
      <Note icon="tick" role="status">
        {news}
      </Note>
    );
  if (!page.running) return null;
  return (
    <Note icon="clock">
      {copy.running.text(page.running.title)}{" "}
      <Link to={paths.meditation(page.running.id)}>{copy.running.action}</Link>
    </Note>
  );
}

/** Six questions beside the live cover, and a seventh where others than Serein help. */
export function Form({ page, from, fault }: FormProps) {
  const { openSignUp } = useAccountPanel();
  const credits = useMember()?.credits ?? null;
  const { generate, pending, trouble, forget } = useGenerate();
  const { form, answers, changed, choose } = useAnswers(page, from, forget);
  const { waiting, wait } = useWaiting();
  const care = useCare(answers.title);
  const blocker = blockerOf(answers, page, credits, pending);

  const refuse = (refused: UserError, { title }: Answers) => {
    if (refused.retryAfter) wait(refused.retryAfter);
    if (needsCare(refused)) return care.show(title);
    if (!isAboutTitle(refused)) return;
    const message = titleWords(refused.reason) || refused.message;
    // The focus brings it into view.
    form.setError("title", { message }, { shouldFocus: true });
  };
  const submit = form.handleSubmit(async (given) => {
    const refused = await generate({ ...given, keepInside: keepsInside(given, page) });
    if (refused) refuse(refused, given);
  });
  const judge = () => care.judge(form.getValues("title"));
  const signUp = async () => {
    if (!(await judge())) openSignUp();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (blocker === "" && !waiting) void submit(event);
    if (blocker === "visitor") void signUp();
  };
  const back = () => {
    care.close();
    form.setFocus("title");
  };
  const props = { page, answers, register: form.register, choose };
  return (
    <>
      <div className={css.news}>
        <News page={page} {...(fault && { fault })} />
      </div>
      <div className={css.columns}>
        <form className={css.form} onSubmit={onSubmit} onChange={changed} noValidate>
          <TitleQuestion {...props} error={form.formState.errors.title?.message} onHelp={care.open} />
          <SizeQuestion {...props} />
          <TypeQuestion {...props} />
          <PracticeQuestion {...props} />
          <NarratorQuestion {...props} />
          <SoundQuestion {...props} />
          <Suspense>
            <Outside {...props} />
          </Suspense>
          <Pay
            blocker={blocker}
            cost={costOf(answers.immersive, page)}
            credits={credits}
            trouble={trouble}
            judge={judge}
            judging={care.asking}
            waiting={waiting}
          />
          {credits ? (
            <Suspense>
              <ReadFirst form={form} page={page} onRefused={refuse} />
            </Suspense>
          ) : null}
        </form>
        {care.cause ? (
          <Care cause={care.cause} calls={care.calls} onBack={back} />
        ) : (
          <CoverPreview answers={answers} page={page} />
        )}
      </div>
    </>
  );
}
