import { useSyncExternalStore } from "react";
import { notices } from "@/copy/notices";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
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

/** Something was kept here once: the app opens without a connection. */
const hasWorker = (): boolean => Boolean(navigator.serviceWorker?.controller);

/** Whether the browser has a connection. */
export const useOnline = (): boolean => useSyncExternalStore(followLine, () => navigator.onLine);

/** A quiet bar while there is no connection. */
export function OfflineBar() {
  const online = useOnline();
  return (
    <div className={css.offline} role="status">
      {online ? null : (
        <p>
          <Icon name="alert" />
          <span>{notices.offline}</span>
          {hasWorker() ? <Link to={paths.kept}>{notices.kept}</Link> : null}
        </p>
      )}
    </div>
  );
}
