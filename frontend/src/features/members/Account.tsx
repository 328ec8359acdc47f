import { credentials as words } from "@/copy/credentials";
import { toUserError } from "@/data/errors";
import { ErrorNote, Skeleton } from "@/ui/States";
import { AboutYou } from "./AboutYou";
import { Apps } from "./Apps";
import { Band, BandRow } from "./Band";
import { useCredentials } from "./credentials";
import { Devices } from "./Devices";
import { WaysIn } from "./WaysIn";

/** What the member is called, and how they sign in. */
export function Account() {
  const { data, error, refetch } = useCredentials();
  const mine = data?.credentials;
  const look = async () => (await refetch()).data?.credentials;
  const waiting = <Skeleton height="144px" />;
  if (!mine && error)
    return (
      <Band id="account" title={words.title}>
        <ErrorNote message={`${words.away} ${toUserError(error).message}`} onRetry={() => void refetch()} />
      </Band>
    );
  return (
    <Band id="account" title={words.title}>
      <BandRow title={words.about.title} text={words.about.text}>
        {mine ? <AboutYou credentials={mine} look={look} /> : waiting}
      </BandRow>
      <BandRow title={words.ways.title} text={words.ways.text}>
        {mine ? <WaysIn credentials={mine} /> : waiting}
      </BandRow>
      <BandRow title={words.devices.title} text={words.devices.text}>
        <Devices />
      </BandRow>
      <BandRow title={words.apps.title} text={words.apps.text}>
        <Apps />
      </BandRow>
    </Band>
  );
}
