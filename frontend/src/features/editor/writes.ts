import { defineWrite } from "@/data/mutation";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";

/** Lists, counts and the trail change with every act; an open item shows the answer itself. */
const invalidates = [
  EditorService.method.listItems,
  EditorService.method.listContentTypes,
  EditorService.method.listRevisions,
] as const;

export const CREATE = defineWrite({ method: EditorService.method.createItem, invalidates });
export const UPDATE = defineWrite({ method: EditorService.method.updateItem, invalidates });
export const CHANGE = defineWrite({ method: EditorService.method.changeItem, invalidates });
export const RESTORE_REVISION = defineWrite({ method: EditorService.method.restoreRevision, invalidates });
export const UPLOAD = defineWrite({ method: EditorService.method.uploadAsset, invalidates });
/** Reads a text as readers will see it; changes nothing. */
export const PREVIEW_TEXT = defineWrite({ method: EditorService.method.previewText });
