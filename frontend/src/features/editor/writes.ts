import { defineWrite } from "@/data/mutation";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";

/** Lists, counts and the trail change with every act; an open item shows the answer itself. */
const touches = [
  EditorService.method.listItems,
  EditorService.method.listContentTypes,
  EditorService.method.listRevisions,
] as const;

export const CREATE = defineWrite({ method: EditorService.method.createItem, touches });
export const UPDATE = defineWrite({ method: EditorService.method.updateItem, touches });
export const CHANGE = defineWrite({ method: EditorService.method.changeItem, touches });
export const RESTORE_REVISION = defineWrite({ method: EditorService.method.restoreRevision, touches });
export const UPLOAD = defineWrite({ method: EditorService.method.uploadAsset, touches });
/** Reads a text as readers will see it; changes nothing. */
export const PREVIEW_TEXT = defineWrite({ method: EditorService.method.previewText });
