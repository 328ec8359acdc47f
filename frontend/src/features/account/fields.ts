import type { ReasonName, UserError } from "@/data/errors";

/** The sign-up form's answers, by the contract's names. */
export interface Answers {
  givenName: string;
  familyName: string;
  email: string;
  username: string;
  password: string;
  ageConfirmed: boolean;
}
export type FieldName = keyof Answers | "code";

/** The contract's field (snake case, as errors name it) to the form's. */
const FIELDS: Record<string, FieldName> = {
  given_name: "givenName",
  family_name: "familyName",
  email: "email",
  username: "username",
  password: "password",
  age_confirmed: "ageConfirmed",
  code: "code",
};

/** Reasons that are about one field, for answers that do not name it. */
const OF_REASON: Partial<Record<ReasonName | "", FieldName>> = {
  USERNAME_EXISTS: "username",
  INVALID_PASSWORD: "password",
  CODE_MISMATCH: "code",
  EXPIRED_CODE: "code",
};

/** The form's field that an error is about, or null: then it is about the whole. */
export const fieldOf = ({ field, reason }: Pick<UserError, "field" | "reason">): FieldName | null =>
  FIELDS[field] ?? OF_REASON[reason] ?? null;
