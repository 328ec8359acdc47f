import { DebugSignIn } from "@/features/debug-sign-in/DebugSignIn";
import { NotFound } from "@/features/not-found/NotFound";

/** Where it is off there is no such page. */
export default function DebugSignInPage() {
  return <DebugSignIn off={<NotFound />} />;
}
