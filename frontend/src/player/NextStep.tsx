import { Suspense } from "react";
import { preloadable } from "@/lib/preloadable";
import { usePlayerState } from "./hooks";

const Step = preloadable<{ className: string | undefined }>(() => import("./more/NextStepLink"));

/** One quiet next step where a recording has ended. It asks for nothing, and goes when the member plays on. */
export function NextStep({ className }: { className: string | undefined }) {
  const ended = usePlayerState((now) => now.state === "ended");
  if (!ended) return null;
  return (
    <Suspense fallback={null}>
      <Step className={className} />
    </Suspense>
  );
}
