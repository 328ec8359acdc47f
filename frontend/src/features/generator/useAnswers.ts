import { useEffect, useRef, useState } from "react";
import type { UseFormRegister } from "react-hook-form";
import { useForm, useWatch } from "react-hook-form";
import type { GetGeneratorResponse, Meditation } from "@/gen/serein/web/v1/generator_pb";
import { askedTitle } from "@/lib/asked-title";
import { useLocation, useNavigate } from "@/lib/router";
import { useMember } from "@/lib/session";
import { keepDraft, readDraft } from "./draft";
import type { Answers } from "./model";
import { answersOf, freshAnswers } from "./model";

/** The answers of a draft. One that an earlier version of the app has kept lacks the questions that were added since. */
const answersFrom = (draft: Answers | null, page: GetGeneratorResponse): Answers | null =>
  draft && { ...freshAnswers(page), ...draft };

/** What each question of the form is given. */
export interface QuestionProps {
  page: GetGeneratorResponse;
  /** The current answers. */
  answers: Answers;
  register: UseFormRegister<Answers>;
  /** Sets an answer whose part of the form has no native control. */
  choose: <Name extends "title" | "sizeId" | "narratorId" | "keepInside">(
    name: Name,
    value: NonNullable<Answers[Name]>,
  ) => void;
}

/**
 * The form's answers, beginning with the member's draft, else with those of `from`. Every change is kept as the
 * draft; `onChange` hears of it.
 */
export function useAnswers(page: GetGeneratorResponse, from: Meditation | undefined, onChange: () => void) {
  const uid = useMember()?.uid;
  const [defaultValues] = useState(
    () => answersFrom(readDraft(uid), page) ?? (from ? answersOf(from, page) : freshAnswers(page)),
  );
  const form = useForm<Answers>({ defaultValues, reValidateMode: "onChange" });
  const { control, getValues, setValue, reset, formState } = form;

  const shownTo = useRef(uid);
  useEffect(() => {
    if (uid === shownTo.current) return;
    const kept = readDraft(uid);
    // A session that ended keeps the draft for its member, who may come again; signing out drops it, and it goes from here too.
    if (uid === undefined && kept) return;
    // The member has changed, and the shown answers are not theirs. A visitor's answers pass to the member who signs in.
    if (shownTo.current !== undefined) reset(answersFrom(kept, page) ?? freshAnswers(page));
    shownTo.current = uid;
  }, [uid, reset, page]);

  const changed = () => {
    keepDraft(getValues(), uid);
    onChange();
  };
  const choose: QuestionProps["choose"] = (name, value) => {
    setValue<keyof Answers>(name, value, { shouldValidate: formState.isSubmitted });
    changed();
  };
  useAskedTitle((title) => choose("title", title));
  const answers = useWatch({ control, compute: (all: Answers) => all });
  return { form, answers, changed, choose };
}

/** Writes the title that a link has asked for, once: coming back or reloading finds what was written since. */
function useAskedTitle(write: (title: string) => void) {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const title = askedTitle(state);
  useEffect(() => {
    if (!title) return;
    write(title);
    navigate(pathname, { replace: true });
  }, [title, write, pathname, navigate]);
}
