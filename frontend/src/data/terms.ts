import { useState } from "react";
import { useSessionStore } from "@/lib/session";
import { useData } from "./data";
import { refreshSession } from "./session";

/**
 * The version of the texts that a form asks its reader to agree to: those that were current when it was opened, since
 * nobody agrees to what came later. Where they were not known then, `ask` looks once more; "" while they are not.
 */
export function useTermsShown() {
  const data = useData();
  const session = useSessionStore();
  const [shown] = useState(() => session.get().termsVersion);
  const ask = async (): Promise<string> => {
    if (shown) return shown;
    await refreshSession(data).catch(() => undefined);
    return session.get().termsVersion;
  };
  return { shown, ask };
}
