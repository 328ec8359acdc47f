import type { Data } from "@/lib/app";
import { MEDITATION_READS } from "@/data/meditations";
import { defineWrite } from "@/data/mutation";
import { refreshSession } from "@/data/session";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";

/** The count beside My Journey comes with the session; one that cannot be read now is read with the next page. */
const refreshCount = (data: Data): void => void refreshSession(data).catch(() => undefined);

/** Begins a meditation; its cost is held. */
export const GENERATE = defineWrite({
  method: GeneratorService.method.generate,
  invalidates: MEDITATION_READS,
  applied: refreshCount,
});

/** Asks whether a title may be made; changes nothing. */
export const CHECK_TITLE = defineWrite({ method: GeneratorService.method.checkTitle });

/** Ends one that is being made. */
export const CANCEL = defineWrite({
  method: GeneratorService.method.cancelMeditation,
  invalidates: MEDITATION_READS,
  applied: refreshCount,
});
