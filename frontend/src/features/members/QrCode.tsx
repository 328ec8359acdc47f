import { encode } from "uqr";

/** The quiet zone around a QR code, in modules (ISO/IEC 18004, 6.3.8). */
const BORDER = 4;

interface QrCodeProps {
  text: string;
  /** What it is, for who cannot see it. */
  label: string;
  className?: string | undefined;
}

/** A text as a picture that cameras read. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { border: BORDER, ecc: "M" });
  const dark = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : "")));
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className={className}
      shapeRendering="crispEdges"
    >
      <path d={dark.join("")} />
    </svg>
  );
}
