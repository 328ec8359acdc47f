import { defineWrite } from "@/data/mutation";
import { StudioService } from "@/gen/serein/web/v1/studio_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";

/** What waits, how many, and the trail change with every act. */
const invalidates = [
  StudioService.method.listMade,
  StudioService.method.getStudio,
  EditorService.method.listRevisions,
] as const;

export const MAKE_MEDITATION = defineWrite({ method: StudioService.method.makeMeditation, invalidates });
export const MAKE_ARTICLE = defineWrite({ method: StudioService.method.makeArticle, invalidates });
export const VERIFY = defineWrite({ method: StudioService.method.verifyMeditation, invalidates });
export const DELETE = defineWrite({ method: StudioService.method.deleteMeditation, invalidates });
export const RESTORE = defineWrite({ method: StudioService.method.restoreMeditation, invalidates });
/** Narrates the first passage; changes nothing. */
export const PREVIEW = defineWrite({ method: StudioService.method.preview });
