import { members } from "@/copy/members";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import { useSecond } from "@/lib/clock";
import { formatDay, formatTime } from "@/lib/format";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Countdown } from "@/ui/Countdown";
import type { Standing } from "./plan";
import { Notice } from "./Notice";

const words = members.trial;

/** The brass panel of a trial: until when, and what is left. */
export function Trial({ plan: { status, endsAt } }: { plan: Standing }) {
  const second = useSecond();
  const prepared = status !== MembershipStatus.UNSPECIFIED;
  const over = status === MembershipStatus.ENDED || (prepared && endsAt <= second * 1000);
  const text = () => {
    if (!prepared) return words.preparing;
    return over ? words.over : words.until(formatDay(endsAt), formatTime(endsAt));
  };
  const choose = (
    <ButtonLink small look="primary" to={paths.memberships}>
      {words.choose}
    </ButtonLink>
  );
  return (
    <Notice
      title={words.title}
      text={text()}
      left={prepared && !over ? <Countdown endsAt={endsAt} over={words.over} large /> : null}
      action={prepared ? choose : null}
      aside={prepared && !over ? words.nothing : ""}
    />
  );
}
