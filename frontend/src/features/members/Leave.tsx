import { Suspense, useState } from "react";
import { leaving } from "@/copy/leaving";
import { partOf } from "@/lib/preloadable";
import { Button } from "@/ui/Button";
import { Band, BandRow, Fact } from "./Band";
import { Export } from "./Export";

const DeleteDialog = partOf(
  () => import("./dialogs"),
  (all) => all.DeleteDialog,
);

const words = leaving.panel;

/** What one can take along, and the way out for good. */
export function Leave() {
  const [asking, ask] = useState(false);
  const open = (
    <Button look="danger" small aria-label={words.openLabel} aria-haspopup="dialog" onClick={() => ask(true)}>
      {words.open}
    </Button>
  );
  return (
    <Band id="leaving" title={leaving.title}>
      <Export />
      <BandRow title={words.title} text={words.text} danger>
        <Fact label={words.what} text={words.detail} action={open} />
      </BandRow>
      {asking ? (
        <Suspense>
          <DeleteDialog onClose={() => ask(false)} />
        </Suspense>
      ) : null}
    </Band>
  );
}
