import { consents } from "@/copy/consents";
import { defineWrite } from "@/data/mutation";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import { tellTabs } from "@/lib/tell-tabs";
import { toast } from "@/ui/toast/store";
import { draft } from "./draft";

/** Records what the member says now. Terms and essentials are both given, or the server refuses it. */
export const UPDATE_CONSENTS = defineWrite({
  method: ConsentService.method.updateConsents,
  invalidates: [ConsentService.method.getConsents],
  applied: ({ session }, { consents: given }) => {
    const analytics = given?.analytics === true;
    draft.set(null);
    session.setConsentsGiven(analytics);
    tellTabs({ type: "consents", analytics }); // what was taken back ends in all of them
    toast(consents.updated);
  },
});
