import type { Data } from "@/lib/app";
import type { PageAnswer } from "@/data/keep-answer";
import { takeFirstAnswers } from "@/data/keep-answer";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";

/** What My Journey asks for first, where its address names no tab and no search. */
export const JOURNEY_ANSWERS: readonly PageAnswer[] = [
  { method: JourneyService.method.getJourney, request: () => ({}) },
  { method: JourneyService.method.listBespoke, request: () => ({}), list: true },
];

/** Takes the answers from the page, once in a tab (`data.part`). */
export function takeJourney(data: Data): true {
  takeFirstAnswers(data, paths.journey, JOURNEY_ANSWERS);
  return true;
}
