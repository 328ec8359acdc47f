import { kept as copy, named } from "@/copy/kept";
import { contact } from "@/data/kept/contact";
import type { Data } from "@/lib/app";
import { onMemberChange } from "@/lib/session";
import { createPlaceKeeping } from "@/player/keep/follow-places";
import { toast } from "@/ui/toast/store";

/** Brings what is kept on this device in step with the gateway: now, when the line returns, and when another member comes. */
export function followKept(data: Data): void {
  const { held } = data.part(createPlaceKeeping);
  const meet = async () => {
    const { gone, ended } = await contact(data, held());
    if (ended.length > 0) toast(copy.over(named(ended)), "info");
    if (gone.length > 0) toast(copy.gone(named(gone)), "info");
  };
  const run = () => void meet().catch(() => undefined);
  onMemberChange(data.session, run);
  window.addEventListener("online", run);
  run();
}
