import { useEffect, useRef, useState } from "react";

/** Lets a dialog leave as it came: `leave` begins it, and once nothing of it moves any more it is `gone`. */
export function useLeaving(gone: () => void) {
  const [leaving, set] = useState(false);
  const inside = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!leaving) return;
    const moving = inside.current?.closest("dialog")?.getAnimations({ subtree: true }) ?? [];
    void Promise.allSettled(moving.map(({ finished }) => finished)).then(gone);
  }, [leaving, gone]);
  return { leaving, inside, leave: () => set(true) };
}
