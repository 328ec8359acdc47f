import { Kept } from "@/features/kept/Kept";
import { useMiniPlayer } from "@/player/useMiniPlayer";

/** What the member keeps on this device. It opens without a connection. */
export default function KeptPage() {
  useMiniPlayer();
  return <Kept />;
}
