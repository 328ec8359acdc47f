import { callUnaryMethod } from "@connectrpc/connect-query";
import { UsageService } from "@/gen/serein/web/v1/usage_pb";
import type { Data } from "@/lib/app";

/** Says that a page was opened, by its pattern. False: this member is not to be counted. Throws where the answer did not come. */
export async function reportPage(data: Data, route: string): Promise<boolean> {
  const { counted } = await callUnaryMethod(data.transport, UsageService.method.reportPage, { route });
  return counted;
}
