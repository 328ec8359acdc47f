import type { ComponentType } from "react";
import { useEffect, useState } from "react";

/** What carries on on all devices comes after the page that plays. Where it does not come, this tab keeps its place alone. */
export function Everywhere() {
  const [Elsewhere, set] = useState<ComponentType | null>(null);
  useEffect(() => {
    void import("./listening/Elsewhere").then(
      (loaded) => set(() => loaded.Elsewhere),
      () => undefined,
    );
  }, []);
  return Elsewhere ? <Elsewhere /> : null;
}
