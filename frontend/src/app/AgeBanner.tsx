import { useEffect, useState } from "react";
import { shell } from "@/copy/shell";
import { useRememberedInSession } from "@/lib/in-browser";
import { useLocation } from "@/lib/router";
import { useMember, useSessionStore } from "@/lib/session";
import { rememberInSession } from "@/lib/storage";
import { Button, IconButton } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./AgeBanner.module.css";

const KEY = "__Host-serein-age";

/** The page a visitor is asked on. One who signs in there is asked until the next page: nothing moves under their hands. */
function useAsked(): boolean {
  const { pathname } = useLocation();
  const isMember = useMember() !== null;
  const session = useSessionStore();
  const [at, ask] = useState(() => ({ pathname, asked: session.get().member === null }));
  if (at.pathname !== pathname) ask({ pathname, asked: !isMember });
  // They have said so with their account: they are not asked again once they have signed out.
  useEffect(() => {
    if (isMember && !at.asked) rememberInSession(KEY);
  }, [isMember, at.asked]);
  // The build has written a visitor's page: a member's is taken over as it is, and then differs.
  return at.asked || !isMember;
}

/** 16 and over, for guests: members have confirmed when they signed up. Confirm hides it for the browser session, Dismiss only closes it. */
export function AgeBanner() {
  const [open, setOpen] = useState(true);
  const confirmed = useRememberedInSession(KEY);
  const asked = useAsked();
  if (!open || confirmed || !asked) return null;
  const close = () => {
    setOpen(false);
    // What had the focus goes.
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  const confirm = () => {
    rememberInSession(KEY);
    close();
  };
  return (
    <section className={css.age} aria-label={shell.age.label}>
      <div className={classes("wrap", css.in)}>
        <p>{shell.age.text}</p>
        <Button small className={css.confirm} onClick={confirm}>
          {shell.age.confirm}
        </Button>
        <IconButton icon="close" label={shell.dismiss} onClick={close} />
      </div>
    </section>
  );
}
