import { useQuery } from "@connectrpc/connect-query";
import type { Data } from "@/lib/app";
import { defineWrite, showPart } from "@/data/mutation";
import type { Device } from "@/gen/serein/web/v1/device_pb";
import { DeviceService } from "@/gen/serein/web/v1/device_pb";

/** Where the member is signed in, and every sign-out of another device. */

const { method } = DeviceService;

/** Asked again whenever its tab is looked at: another device may have signed in or out meanwhile. */
export const useDevices = () => useQuery(method.listDevices, {}, { refetchOnWindowFocus: "always" });

const invalidates = [method.listDevices];

/** Shows the devices that are left. */
const applied = (data: Data, { devices }: { devices: Device[] }): void =>
  showPart(data, method.listDevices, { devices });

export const END_DEVICE = defineWrite({ method: method.endDevice, invalidates, applied });
export const END_OTHER_DEVICES = defineWrite({ method: method.endOtherDevices, invalidates, applied });
