import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import { GetInviteRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { useBrowserLocation } from "@/lib/router";
import { remember, remembered } from "@/lib/storage";

/** The code of an invitation is kept for this tab, through the steps of signing up, the popup and a reload. */
const KEY = "serein-invite";

export const forgetInvite = (): void => remember("sessionStorage", KEY, null);

/** What is known of the invitation that somebody came by. */
export type Invite = "none" | "known" | "unknown" | "not yet known";

/** Returns the code of the address, or else the kept one, and whether it is valid. Visitors with an invalid code can sign up all the same. */
export function useInvite(): { code: string; invite: Invite } {
  const { search } = useBrowserLocation();
  const named = new URLSearchParams(search).get("invite")?.trim() ?? "";
  const [kept] = useState(() => remembered("sessionStorage", KEY) ?? "");
  const said = named || kept;
  useEffect(() => {
    if (named) remember("sessionStorage", KEY, named);
  }, [named]);
  const possible = said !== "" && [...said].length <= RULES.code.maxLen;
  const code = possible ? said : "";
  const { data } = useQuery(AccountService.method.getInvite, { code }, { enabled: possible });
  if (!said) return { code, invite: "none" };
  if (!possible) return { code, invite: "unknown" };
  if (!data) return { code, invite: "not yet known" };
  return { code, invite: data.known ? "known" : "unknown" };
}
