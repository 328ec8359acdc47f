import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import type { Answers } from "./model";

/**
 * The member's choice, else what they chose for their last meditation. Where the server could not say whether anybody outside gets the
 * title, it is kept inside.
 */
export const keepsInside = (a: Answers, page: GetGeneratorResponse): boolean =>
  a.keepInside ?? page.outside?.keepInside ?? true;
