import type { Picture } from "@/gen/serein/web/v1/items_pb";
import type { Condition } from "./template";
import { and, has, there } from "./template";

/** Whether an item has a picture that its editor chose. */
export const hasPicture = (picture: Picture | undefined): Condition =>
  and(there(picture), has(picture, "url"));
