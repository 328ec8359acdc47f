import { notices } from "@/copy/notices";
import { useStore } from "@/lib/store";
import { userFetchFailed } from "@/lib/user-fetch";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import { useOnline } from "./OfflineBar";
import css from "./OfflineBar.module.css";

const words = notices.userFetch;

/** Somebody has signed in, and nobody could say who: the page stays as it was, and says so until it is asked again. */
export function UserFetch() {
  const failed = useStore(userFetchFailed);
  const online = useOnline();
  // Without a connection nobody can be asked: the bar says that there is none.
  const again = online ? failed : null;
  return (
    <div className={css.offline} role="alert">
      {again ? (
        <p>
          <Icon name="alert" />
          <span>
            <b>{words.failed}</b> {words.text}
          </span>
          <TextButton onClick={again}>{words.again}</TextButton>
          <TextButton onClick={() => userFetchFailed.set(null)}>{words.dismiss}</TextButton>
        </p>
      ) : null}
    </div>
  );
}
