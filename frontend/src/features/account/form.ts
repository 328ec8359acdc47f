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

/** The server's field of an error, where it is one of the form's. */
export const isField = (name: string): name is FieldName | "code" =>
  name === "code" || (FIELDS as readonly string[]).includes(name);

/** Seconds before a new code may be asked for again. */
export const RESEND_AFTER_S = 60;
