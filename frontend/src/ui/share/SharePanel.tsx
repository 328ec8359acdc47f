import { sharing as words } from "@/copy/sharing";
import type { Passed, Site } from "@/lib/sharing";
import { dialogsOf, hasSheet, openSheet } from "@/lib/sharing";
import { useMember } from "@/lib/session";
import { Button } from "../Button";
import { Icon } from "../Icon";
import type { Invite } from "../InviteForm";
import { InviteForm } from "../InviteForm";
import css from "./SharePanel.module.css";
import { useCopied } from "../useCopied";

const SITES: readonly Site[] = ["x", "facebook", "whatsApp", "linkedIn", "email"];

/** The sites' own dialogs, each in a tab that knows nothing of this one. A mail program opens none. */
function Sites({ what }: { what: Passed }) {
  const dialogs = dialogsOf(what);
  return SITES.map((site) => {
    const name = words.sites[site];
    const tab =
      site === "email"
        ? {}
        : { target: "_blank", rel: "noopener noreferrer", "aria-label": words.newTab(name) };
    return (
      <a key={site} className={css.way} href={dialogs[site]} {...tab}>
        {name}
      </a>
    );
  });
}

/** The ways to hand on an address: the system's sheet where there is one, else the sites' dialogs; and copying it. */
export function ShareWays({ what }: { what: Passed }) {
  const { copy: copyText, note } = useCopied(css.said);
  const copy = () => copyText(what.url, { done: words.copied, failed: words.notCopied });
  const share = async () => {
    if (!(await openSheet(what))) await copy();
  };
  return (
    <>
      <div className={css.ways}>
        <Button small data-first onClick={() => void copy()}>
          <Icon name="copy" />
          {words.copy}
        </Button>
        {hasSheet() ? (
          <Button small onClick={() => void share()}>
            <Icon name="share" />
            {words.share}
          </Button>
        ) : (
          <Sites what={what} />
        )}
      </div>
      {note}
    </>
  );
}

/** A letter to a friend, for members. */
export function InviteByLetter({ invite }: { invite: Invite }) {
  if (!useMember()) return null;
  return (
    <div className={css.invite}>
      <h3 className={css.inviteTitle}>{words.inviteTitle}</h3>
      <InviteForm invite={invite} />
    </div>
  );
}

/** The share panel: the ways to hand on an address, and a letter to a friend. */
export function SharePanel({ what, invite }: { what: Passed; invite: Invite }) {
  return (
    <div className={css.panel}>
      <ShareWays what={what} />
      <InviteByLetter invite={invite} />
    </div>
  );
}
