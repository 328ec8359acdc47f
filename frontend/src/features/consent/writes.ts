import { consents } from "@/copy/consents";
import { defineWrite } from "@/data/mutation";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { toast } from "@/ui/toast/store";
import { draft } from "./draft";

/** Records what the member says now. Terms and essentials are both given, or the server refuses it. */
export const UPDATE_CONSENTS = defineWrite({
  method: ConsentService.method.updateConsents,
  touches: [ConsentService.method.getConsents],
  applied: ({ session }) => {
    draft.set(null);
    session.setConsentsGiven();
    toast(consents.updated);
  },
});
