/** The dialogs of the account, in one chunk: each alone, what they share would come with the app's first paint. */
export { DeleteDialog } from "./DeleteDialog";
export { EmailDialog } from "./EmailDialog";
export { FreshCodesDialog } from "./FreshCodesDialog";
export { NameDialog } from "./NameDialog";
export { PasskeyDialog } from "./PasskeyDialog";
export { PasswordDialog } from "./PasswordDialog";
export { RemovePasskeyDialog } from "./RemovePasskeyDialog";
export { SecondStepDialog } from "./SecondStepDialog";
export { TurnOffDialog } from "./TurnOffDialog";
