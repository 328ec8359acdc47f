import { useState } from "react";
import { CHANGE_PLAN } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import type { ChangeQuote } from "@/gen/serein/web/v1/membership_pb";

/** The change itself, of what was quoted. `done` is the quote that was carried out. */
export function useChange() {
  const { send, pending, trouble } = useWrite(CHANGE_PLAN);
  const [done, set] = useState<ChangeQuote | null>(null);
  /** Answers with the reason where it was refused, "" where it was done or nobody knows. */
  const confirm = async (quote: ChangeQuote) => {
    const { planId, period, at, charged, credited } = quote;
    const sent = await send({
      planId,
      period,
      ...(at && { at }),
      ...(charged && { charged }),
      ...(credited && { credited }),
    });
    if (sent.answer) set(quote);
    return sent.trouble?.reason ?? "";
  };
  return { confirm, pending, trouble, done };
}

export type Change = ReturnType<typeof useChange>;
