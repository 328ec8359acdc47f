import { members } from "@/copy/members";
import { useInvite } from "@/data/invite";
import type { Invitation } from "@/gen/serein/web/v1/membership_pb";
import { hasSheet, openSheet } from "@/lib/sharing";
import { Button, IconButton } from "@/ui/Button";
import { InviteForm } from "@/ui/InviteForm";
import { Panel } from "@/ui/Panel";
import { useCopied } from "@/ui/useCopied";
import css from "./PassItOn.module.css";

const words = members.invite;

/** Copies the code, or hands on the link by the system's own sheet; `note` says what came of it. */
function usePassing({ code, url, trialDays }: Invitation) {
  const { copy, note } = useCopied(css.said);
  const failed = words.notCopied;
  const share = async () => {
    const what = { title: words.shareTitle, text: words.shareText(trialDays), url };
    if (!(await openSheet(what))) await copy(url, { done: words.linkCopied, failed });
  };
  return { note, copy: () => void copy(code, { done: words.copied, failed }), share: () => void share() };
}

/** The member's own code, the link with it, and what it came to. */
function Code({ invitation }: { invitation: Invitation }) {
  const { note, copy, share } = usePassing(invitation);
  const invite = useInvite();
  const { code, trialDays, reward, invited, rewarded, credits } = invitation;
  return (
    <>
      <p className={css.text}>{words.text(trialDays, Number(reward))}</p>
      <p className={css.code}>
        <span className="sr">{words.code}: </span>
        <span>{code}</span>
        <IconButton icon="copy" label={words.copy} onClick={copy} />
      </p>
      <Button small wide onClick={share}>
        {hasSheet() ? words.share : words.copyLink}
      </Button>
      {note}
      <InviteForm invite={invite} className={css.form} />
      <p className={css.count}>
        {invited > 0 ? words.count(invited, rewarded, Number(credits)) : words.nobody}
      </p>
    </>
  );
}

/** What a member passes on; without it where nobody said soon what it came to. */
export function PassItOn({ invitation }: { invitation: Invitation | undefined }) {
  return (
    <Panel title={words.title}>
      {invitation ? <Code invitation={invitation} /> : <p className={css.text}>{words.away}</p>}
    </Panel>
  );
}
