import { useEffect, useEffectEvent } from "react";
import { members } from "@/copy/members";
import { LOST } from "@/data/errors";
import { TAKE_CARD } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import { useFilters } from "@/lib/filters";
import { formatDate } from "@/lib/format";
import { jittered } from "@/lib/jitter";
import { msOf } from "./plan";

const words = members.given;

/** The pause before it is asked once more: a webhook may be charging the card just now (ms). */
const AGAIN_MS = 2_000;

/** A sentence, and its mark: a tick where none is named. */
export type Said = [text: string, mark?: "tick" | "alert" | "card"];

function said({ status, planName, cardLast4, accessUntil }: Membership): Said {
  if (!cardLast4) return [""];
  if (status === MembershipStatus.GRACE)
    return [words.declined(cardLast4, formatDate(msOf(accessUntil))), "alert"];
  return [status === MembershipStatus.ACTIVE ? words.charged(planName, cardLast4) : ""];
}

/** Who comes back from the card's page: what is owed is paid by the card that was given there. Says that it waits, and what came of it, once. */
export function useGiven(onDone: (...said: Said) => void): void {
  const { get, set } = useFilters();
  const { send } = useWrite(TAKE_CARD);
  const given = get("card") === "given";
  const take = useEffectEvent(async () => {
    set({ card: "" }, true);
    onDone(words.taking, "card");
    let sent = await send({});
    if (sent.trouble && LOST.has(sent.trouble.code)) {
      await new Promise((resolve) => setTimeout(resolve, jittered(AGAIN_MS)));
      sent = await send({});
    }
    const { answer, trouble } = sent;
    if (answer?.membership) onDone(...said(answer.membership));
    else if (trouble && trouble.reason !== "SUBSCRIPTION_NOT_FOUND") onDone(words.unknown, "alert");
    else onDone("");
  });
  useEffect(() => {
    if (given) void take();
  }, [given]);
}
