import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { ContactService } from "@/gen/serein/web/v1/contact_pb";

/** The contact form's letter box; "nobody home" does not get through. */
export function mockContact(router: ConnectRouter): void {
  router.service(ContactService, {
    sendMessage: ({ name }) => {
      if (name === "nobody home") throw new ConnectError("no", Code.Internal);
      return {};
    },
  });
}
