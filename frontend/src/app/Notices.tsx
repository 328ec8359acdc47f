import { useState, useSyncExternalStore } from "react";
import { shell } from "@/copy/shell";
import { useMember } from "@/lib/session";
import { remember, remembered } from "@/lib/storage";
import { Button, IconButton } from "@/ui/Button";
import { Icon } from "@/ui/Icon";

const AGE_KEY = "serein-age-confirmed";

/** 16 and over. Confirm hides it for the browser session; Dismiss only closes it. Members have confirmed when they signed up. */
export function AgeBanner() {
  const [open, setOpen] = useState(() => remembered("sessionStorage", AGE_KEY) === null);
  const member = useMember();
  if (!open || member) return null;
  const confirm = () => {
    remember("sessionStorage", AGE_KEY, "yes");
    setOpen(false);
  };
  return (
    <section className="age" aria-label={shell.age.label}>
      <div className="wrap">
        <p>{shell.age.text}</p>
        <Button small onClick={confirm}>
          {shell.age.confirm}
        </Button>
        <IconButton icon="close" label={shell.dismiss} onClick={() => setOpen(false)} />
      </div>
    </section>
  );
}

const followLine = (listener: () => void) => {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};

/** A quiet bar while there is no connection. */
export function OfflineBar() {
  const online = useSyncExternalStore(followLine, () => navigator.onLine);
  return (
    <div className="offline" role="status">
      {online ? null : (
        <p>
          <Icon name="alert" />
          {shell.offline}
        </p>
      )}
    </div>
  );
}
