import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import type { Answers } from "./model";
import { presetNarrator } from "./model";

/** The narrators who speak outside Serein, by their ids. */
export const outsideNarrators = ({ outside }: GetGeneratorResponse): string[] =>
  outside?.narrators.map((n) => n.narratorId) ?? [];

/** Who gets words of the meditation that these answers ask for; "" for Serein's own. */
export function recipientsOf(a: Answers, page: GetGeneratorResponse): { writer: string; speaker: string } {
  const speakerId = a.narratorId || presetNarrator(a, page).id;
  const speaker = page.outside?.narrators.find((n) => n.narratorId === speakerId)?.recipient ?? "";
  return { writer: page.outside?.writer ?? "", speaker };
}
