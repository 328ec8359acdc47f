import { Suspense } from "react";
import { preloadable } from "@/lib/preloadable";
import { useMember } from "@/lib/session";
import css from "./Own.module.css";

const MemberHome = preloadable(() => import("./MemberHome"));

/**
 * A member's own part, above what Home shows everybody. The mark that index.html sets on the root reserves its space from the
 * first paint; for a visitor no space is reserved.
 */
export function Own() {
  const member = useMember();
  return (
    <div className={css.own}>
      {member ? (
        <Suspense fallback={null}>
          <MemberHome member={member} />
        </Suspense>
      ) : null}
    </div>
  );
}
