import { defineWrite, showPart } from "@/data/mutation";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";

const { method } = SharingService;

// One dialog is open at a time, and its read is forgotten with it: what is shown is the read of that meditation.
const touches = [method.getShare];

export const SHARE_MEDITATION = defineWrite({
  method: method.shareMeditation,
  touches,
  applied: (data, { share }) => showPart(data, method.getShare, { share }),
});
export const END_SHARE = defineWrite({
  method: method.endShare,
  touches,
  applied: (data) => showPart(data, method.getShare, { share: undefined }),
});
