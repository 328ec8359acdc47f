import { player as copy } from "@/copy/player";
import { Segmented } from "@/ui/Choice";
import { usePlayer, usePlayerState } from "../hooks";

const RATES = [0.8, 0.9, 1, 1.1, 1.2] as const;

interface SpeedProps {
  as?: "h2" | "h3";
  /** Of the heading. */
  className?: string | undefined;
}

/** How fast the voice speaks, at the pitch it has. */
export function Speed({ as: H = "h2", className }: SpeedProps) {
  const { engine } = usePlayer();
  const rate = usePlayerState((now) => now.rate);
  return (
    <div>
      <H className={className}>{copy.more.speed}</H>
      <Segmented
        label={copy.more.speed}
        value={String(rate)}
        onChange={(to) => engine.setRate(Number(to))}
        options={RATES.map((one) => ({ value: String(one), label: copy.more.times(one) }))}
        fill
      />
    </div>
  );
}
