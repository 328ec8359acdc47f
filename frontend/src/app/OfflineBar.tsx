import { useSyncExternalStore } from "react";
import { notices } from "@/copy/notices";
import { Icon } from "@/ui/Icon";
import css from "./OfflineBar.module.css";

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
    <div className={css.offline} role="status">
      {online ? null : (
        <p>
          <Icon name="alert" />
          {notices.offline}
        </p>
      )}
    </div>
  );
}
