import { defineWrite, showPart } from "@/data/mutation";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";

const { method } = SharingService;

// One dialog is open at a time, and its read is forgotten with it: what is shown is the read of that meditation.
const invalidates = [method.getShare];

export const SHARE_MEDITATION = defineWrite({
  method: method.shareMeditation,
  invalidates,
  applied: (data, { share }) => showPart(data, method.getShare, { share }),
});
export const END_SHARE = defineWrite({
  method: method.endShare,
  invalidates,
  applied: (data) => showPart(data, method.getShare, { share: undefined }),
});
