import { useQuery } from "@connectrpc/connect-query";
import { defineWrite, showPart } from "@/data/mutation";
import { AppService } from "@/gen/serein/web/v1/app_pb";

/** The apps of somebody else that may act for the member, and taking that back. */

const { method } = AppService;

/** Asked again whenever its tab is looked at: another one may have let an app in meanwhile. */
export const useApps = () => useQuery(method.listApps, {}, { refetchOnWindowFocus: "always" });

export const REVOKE_APP = defineWrite({
  method: method.revokeApp,
  invalidates: [method.listApps],
  applied: (data, { apps }) => showPart(data, method.listApps, { apps }),
});
