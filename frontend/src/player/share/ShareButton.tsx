import { Suspense, useState } from "react";
import { player as copy } from "@/copy/player";
import { preloadable } from "@/lib/preloadable";
import { Button, IconButton } from "@/ui/Button";

const ShareOwn = preloadable(() => import("./ShareOwn"));

/** Opens the share panel of one's own finished meditation; `icon` where there is no room for the word. */
export function ShareButton({ id, title, icon = false }: { id: string; title: string; icon?: boolean }) {
  const [open, setOpen] = useState(false);
  const press = () => setOpen(true);
  return (
    <>
      {icon ? (
        <IconButton icon="share" label={copy.share} onClick={press} />
      ) : (
        <Button onClick={press}>{copy.share}</Button>
      )}
      {open ? (
        <Suspense>
          <ShareOwn id={id} title={title} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
