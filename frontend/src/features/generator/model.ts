import type { UserError } from "@/data/errors";
import type { GetGeneratorResponse, Meditation } from "@/gen/serein/web/v1/generator_pb";
import type { Credits } from "@/lib/boot";
import { titleWords } from "@/lib/title-rules";

/** The generator's questions and rules, without a page. The server decides; this only spares a member a wait. */

export interface Answers {
  title: string;
  sizeId: string;
  typeId: string;
  practiceId: string;
  /** Empty for the narrator that the type has. */
  narratorId: string;
  /** The narrator may say the member's first name. */
  sayName: boolean;
  immersive: boolean;
  /** The sound of an immersive one; kept while the switch is off. */
  trackId: string;
}

const first = (items: readonly { id: string }[], wanted: string): string =>
  (items.find((i) => i.id === wanted) ?? items[0])?.id ?? "";

/** The form as it stands for a member who comes to it fresh. */
export function freshAnswers(page: GetGeneratorResponse): Answers {
  return {
    title: "",
    sizeId: first(page.sizes, "reset"),
    typeId: first(page.types, "stress-relief"),
    practiceId: first(page.practices, "secular-mindfulness"),
    narratorId: "",
    sayName: false,
    immersive: true,
    trackId: first(page.tracks, "warm"),
  };
}

/** The answers a meditation was made from, so that a failure loses none of them. */
export function answersOf(m: Meditation, page: GetGeneratorResponse): Answers {
  const fresh = freshAnswers(page);
  const type = page.types.find((t) => t.id === m.typeId);
  const chosen = m.narratorName !== type?.narratorName;
  return {
    title: m.title,
    sizeId: page.sizes.find((s) => s.name === m.sizeName)?.id ?? fresh.sizeId,
    typeId: first(page.types, m.typeId),
    practiceId: page.practices.find((p) => p.name === m.practiceName)?.id ?? fresh.practiceId,
    narratorId: (chosen && page.types.find((t) => t.narratorName === m.narratorName)?.narratorId) || "",
    sayName: false,
    immersive: m.immersive,
    trackId: m.track?.id ?? fresh.trackId,
  };
}

/** The narrator that is chosen in place of the type's: id, and name where a type has that narrator; null for the type's. */
export function chosenNarrator(a: Answers, page: GetGeneratorResponse): { id: string; name: string } | null {
  const type = page.types.find((t) => t.id === a.typeId);
  if (!a.narratorId || a.narratorId === type?.narratorId) return null;
  const name = page.types.find((t) => t.narratorId === a.narratorId)?.narratorName ?? "";
  return { id: a.narratorId, name };
}

export const costOf = (immersive: boolean, page: GetGeneratorResponse): number =>
  immersive ? page.costImmersive : page.costVoiceOnly;

export const OUT_OF_CREDITS =
  "You have run out of meditation credits for this subscription period. You can always topup using the link above and continue generating bespoke meditations.";

/** "2 credits" */
export const creditCount = (n: number): string => `${n} ${n === 1 ? "credit" : "credits"}`;

/** What a meditation will use, in one sentence: plan credits go first, then top-ups. */
export function usesText(cost: number, credits: Credits): string {
  const fromPlan = Math.min(cost, credits.plan);
  const fromTopUp = cost - fromPlan;
  if (fromTopUp === 0) return `Uses ${part(fromPlan, credits.plan, "plan")}.`;
  if (fromPlan === 0) return `Uses ${part(fromTopUp, credits.topUp, "top-up")}.`;
  return `Uses ${fromPlan} plan ${word(fromPlan)} and ${fromTopUp} top-up ${word(fromTopUp)}.`;
}

const word = (n: number): string => (n === 1 ? "credit" : "credits");

function part(used: number, of: number, kind: string): string {
  if (used === of) return used === 1 ? `your last ${kind} credit` : `your last ${used} ${kind} credits`;
  return `${used} of your ${of} ${kind} credits`;
}

/** "12 plan credits" and, where there are any, "3 top-up credits". */
export function leftText(credits: Credits): string {
  const plan = `${credits.plan} plan ${word(credits.plan)}`;
  return credits.topUp > 0 ? `${plan} and ${credits.topUp} top-up ${word(credits.topUp)}` : plan;
}

/** True of an error that belongs beside the title. */
export const isAboutTitle = ({ reason, field }: Pick<UserError, "reason" | "field">): boolean =>
  titleWords(reason) !== "" || field === "title";

/** Why Generate is not possible now, whatever the answers; "" when it is. */
export type Blocker = "" | "visitor" | "busy" | "credits";

export function blockerOf(
  a: Answers,
  page: GetGeneratorResponse,
  credits: Credits | null,
  busy: boolean,
): Blocker {
  if (!credits) return "visitor";
  if (busy) return "busy";
  return credits.plan + credits.topUp < costOf(a.immersive, page) ? "credits" : "";
}

/** "about 6 min", from the server's expected length. */
export const aboutMinutes = (seconds: number): string => `about ${Math.max(1, Math.round(seconds / 60))} min`;

/** "6 minutes 12", as one says it; whole minutes stand alone. */
export function sayLength(ms: number): string {
  const all = Math.floor(ms / 1000);
  const minutes = Math.floor(all / 60);
  const rest = all % 60;
  const said = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  return rest === 0 ? said : `${said} ${rest}`;
}
