import { DeviceKind } from "@/gen/serein/web/v1/device_pb";

const COMPUTER = "M3 4h14v9.5H3zM7 17h6M10 13.5V17";
const HELD = "M6 2.5h8v15H6zM9 15h2";

const DRAWN: Partial<Record<DeviceKind, string>> = { [DeviceKind.PHONE]: HELD, [DeviceKind.TABLET]: HELD };

/** Only a picture: the device's name stands beside it. */
export const DeviceIcon = ({ kind }: { kind: DeviceKind }) => (
  <svg
    viewBox="0 0 20 20"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinejoin="round"
  >
    <path d={DRAWN[kind] ?? COMPUTER} />
  </svg>
);
