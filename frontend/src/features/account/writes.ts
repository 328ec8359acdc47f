import { defineWrite } from "@/data/mutation";
import { AccountService } from "@/gen/serein/web/v1/account_pb";

/** What the account panel asks the server to do. */
export const SIGN_UP = defineWrite({ method: AccountService.method.signUp });
export const CONFIRM = defineWrite({ method: AccountService.method.confirmSignUp });
export const RESEND = defineWrite({ method: AccountService.method.resendConfirmationCode });
