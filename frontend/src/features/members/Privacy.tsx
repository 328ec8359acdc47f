import { consents } from "@/copy/consents";
import { members } from "@/copy/members";
import type { MembershipRead } from "@/data/membership";
import { preferencesOpen } from "@/lib/account-panel";
import { Button } from "@/ui/Button";
import { Skeleton } from "@/ui/States";
import { Band, BandRow } from "./Band";
import { Letters } from "./Letters";

const words = members.privacy;

/** What one has agreed to, and which letters one would like. */
export function Privacy({ read: { data, isPending } }: { read: MembershipRead }) {
  const away = isPending ? <Skeleton height="200px" /> : <p className="small muted">{words.away}</p>;
  return (
    <Band id="privacy" title={words.title}>
      <BandRow title={consents.panel.title} text={consents.panel.text}>
        <Button small aria-haspopup="dialog" onClick={() => preferencesOpen.set(true)}>
          {consents.panel.open}
        </Button>
      </BandRow>
      <BandRow title={words.letters} text={words.text}>
        {data?.letters ? <Letters letters={data.letters} /> : away}
      </BandRow>
    </Band>
  );
}
