import { remember, remembered } from "@/lib/storage";
import type { Answers } from "./fields";

/** What is typed in the sign-up form is kept for this tab, through a press outside and a reload. Never the password. */
const KEY = "serein-sign-up";
const EMPTY: Answers = {
  givenName: "",
  familyName: "",
  email: "",
  username: "",
  password: "",
  ageConfirmed: false,
};

export function readDraft(): Answers {
  try {
    const kept: unknown = JSON.parse(remembered("sessionStorage", KEY) ?? "{}");
    return { ...EMPTY, ...(kept as Partial<Answers>), password: "" };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(answers: Answers | null): void {
  remember("sessionStorage", KEY, answers && JSON.stringify({ ...answers, password: undefined }));
}
