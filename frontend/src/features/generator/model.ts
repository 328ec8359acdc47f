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
  /** Empty for the narrator whom the other answers choose. */
  narratorId: string;
  /** The narrator may say the member's first name. */
  sayName: boolean;
  immersive: boolean;
  /** The sound of an immersive one; kept while the switch is off. */
  trackId: string;
  /** Nobody outside Serein gets a word of it; absent until the member says so or not. */
  keepInside?: boolean;
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
  const chosen = m.narratorName !== presetNarrator(m, page).name;
  return {
    title: m.title,
    sizeId: page.sizes.find((s) => s.name === m.sizeName)?.id ?? fresh.sizeId,
    typeId: first(page.types, m.typeId),
    practiceId: page.practices.find((p) => p.name === m.practiceName)?.id ?? fresh.practiceId,
    narratorId: (chosen && named(page).find(({ name }) => name === m.narratorName)?.id) || "",
    sayName: false,
    immersive: m.immersive,
    trackId: m.track?.id ?? fresh.trackId,
  };
}

/** A narrator by id and name. */
export interface Named {
  id: string;
  name: string;
}

/**
 * The narrator who speaks where the member chooses none, and the name of the type they are chosen for. It is empty for an immersive
 * meditation, which has the same narrator whatever its type.
 */
export function presetNarrator(
  a: Pick<Answers, "typeId" | "immersive">,
  page: GetGeneratorResponse,
): Named & { type: string } {
  if (a.immersive && page.immersiveNarratorId)
    return { id: page.immersiveNarratorId, name: page.immersiveNarratorName, type: "" };
  const type = page.types.find((t) => t.id === a.typeId);
  return { id: type?.narratorId ?? "", name: type?.narratorName ?? "", type: type?.name ?? "" };
}

/** The narrators whose names the page knows without asking for all. */
const named = (page: GetGeneratorResponse): Named[] => [
  ...page.types.map((t) => ({ id: t.narratorId, name: t.narratorName })),
  { id: page.immersiveNarratorId, name: page.immersiveNarratorName },
];

/** The narrator that the member has chosen in place of the preset one; the name is empty where the page does not know it. */
export function chosenNarrator(a: Answers, page: GetGeneratorResponse): Named | null {
  if (!a.narratorId || a.narratorId === presetNarrator(a, page).id) return null;
  return { id: a.narratorId, name: named(page).find(({ id }) => id === a.narratorId)?.name ?? "" };
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
