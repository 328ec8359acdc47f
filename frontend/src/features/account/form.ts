import { account } from "@/copy/account";

/** What the sign-up form asks for; the names are those of the contract's fields. */
export const FIELDS = [
  "given_name",
  "family_name",
  "email",
  "username",
  "password",
  "age_confirmed",
] as const;
export type FieldName = (typeof FIELDS)[number];
export type Faults = Partial<Record<FieldName | "code", string>>;

/** A shape only; whether an address exists, the mail will show. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

/** What can be seen to be wrong before asking the server, which checks everything again. */
export function findFaults(answers: Record<FieldName, string>): Faults {
  const faults: Faults = {};
  for (const field of FIELDS) if (!answers[field].trim()) faults[field] = account.missing[field];
  if (!faults.email && !EMAIL.test(answers.email.trim())) faults.email = account.emailShape;
  return faults;
}

/** The form's answers as text; an unticked box is "". */
export function readForm(form: FormData): Record<FieldName, string> {
  const text = (name: FieldName) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(FIELDS.map((name) => [name, text(name)])) as Record<FieldName, string>;
}

/** Reasons that are about one field, for answers that do not name it. */
const FIELD_OF: Record<string, FieldName | "code"> = {
  USERNAME_EXISTS: "username",
  INVALID_PASSWORD: "password",
  CODE_MISMATCH: "code",
  EXPIRED_CODE: "code",
};

/** The form's field that an error is about, or null: then it is about the whole. */
export function fieldOf(trouble: { field: string; reason: string }): FieldName | "code" | null {
  const { field, reason } = trouble;
  if (field === "code" || (FIELDS as readonly string[]).includes(field)) return field as FieldName | "code";
  return FIELD_OF[reason] ?? null;
}

/** Seconds before a new code may be asked for again. */
export const RESEND_AFTER_S = 60;

/** Brings the first faulty field under the hands, once it is marked. */
export const focusFault = (form: HTMLFormElement): number =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
