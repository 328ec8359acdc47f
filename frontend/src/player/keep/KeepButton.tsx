import { Suspense, useState } from "react";
import { download as copy } from "@/copy/download";
import { preloadable } from "@/lib/preloadable";
import { IconButton } from "@/ui/Button";
import type { Offer } from "./keepable";

const KeepDialog = preloadable(() => import("./KeepDialog"));

/** Keeps a recording on this device, after it has said what that takes. */
export function KeepButton({ offer, title }: { offer: Offer; title: string }) {
  const [open, set] = useState(false);
  return (
    <>
      <IconButton icon="keep" label={copy.keepOf(title)} aria-haspopup="dialog" onClick={() => set(true)} />
      {open ? (
        <Suspense>
          <KeepDialog offer={offer} onClose={() => set(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
