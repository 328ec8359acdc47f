import { createClient } from "@connectrpc/connect";
import { pageData } from "@/data/page";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import type { FieldName } from "./form";

const client = createClient(AccountService, pageData.transport);

/** True if the account needs no confirmation. */
export async function signUp(answers: Record<FieldName, string>): Promise<boolean> {
  const { userConfirmed } = await client.signUp({
    username: answers.username.trim(),
    email: answers.email.trim(),
    givenName: answers.given_name.trim(),
    familyName: answers.family_name.trim(),
    password: answers.password,
    ageConfirmed: answers.age_confirmed !== "",
  });
  return userConfirmed;
}

export async function confirmSignUp(username: string, code: string): Promise<void> {
  await client.confirmSignUp({ username, code });
}

export async function resendCode(username: string): Promise<void> {
  await client.resendConfirmationCode({ username });
}
