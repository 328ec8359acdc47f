import { useState } from "react";
import { shell } from "@/copy/shell";
import { useRememberedInTab } from "@/lib/in-browser";
import { useMember } from "@/lib/session";
import { remember } from "@/lib/storage";
import { Button, IconButton } from "@/ui/Button";
import { classes } from "@/ui/classes";
import css from "./AgeBanner.module.css";

const KEY = "serein-age-confirmed";

/** 16 and over, for guests: members have confirmed when they signed up. Confirm hides it for the browser session, Dismiss only closes it. */
export function AgeBanner() {
  const [open, setOpen] = useState(true);
  const confirmed = useRememberedInTab(KEY);
  const member = useMember();
  if (!open || confirmed || member) return null;
  const confirm = () => {
    remember("sessionStorage", KEY, "yes");
    setOpen(false);
  };
  return (
    <section className={css.age} aria-label={shell.age.label}>
      <div className={classes("wrap", css.in)}>
        <p>{shell.age.text}</p>
        <Button small className={css.confirm} onClick={confirm}>
          {shell.age.confirm}
        </Button>
        <IconButton icon="close" label={shell.dismiss} onClick={() => setOpen(false)} />
      </div>
    </section>
  );
}
