import { timestampMs } from "@bufbuild/protobuf/wkt";
import { defineWrite } from "@/data/mutation";
import { DeletionService } from "@/gen/serein/web/v1/account_pb";
import { sessionEnded } from "@/lib/account-panel";
import { leftUntil } from "@/lib/left";
import { tellTabs } from "@/lib/tell-tabs";

/** Asks for the account to be deleted. The session is over with the answer: every tab, this one too, becomes a visitor's. */
export const DELETE_ACCOUNT = defineWrite({
  method: DeletionService.method.deleteAccount,
  applied: (_, { deletesAt }) => {
    if (deletesAt) leftUntil.set(timestampMs(deletesAt));
    sessionEnded.set(true);
    tellTabs({ type: "signed-out" });
  },
});
