import type { MouseEvent } from "react";
import { keepPendingPlan } from "./pending-plan";
import { useLocation } from "./router";
import { signIn, signInUrl } from "./sign-in";

/**
 * What a link to the sign-in page has: a press opens the popup, and without scripts, or in another tab, the address
 * does the same.
 */
export function useSignInLink() {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  return {
    to: signInUrl({ popup: false, returnTo }),
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      // Not by the panel of a membership: it is not what they come for.
      keepPendingPlan(null);
      signIn(undefined, returnTo);
    },
  };
}
