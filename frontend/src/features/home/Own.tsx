import { Suspense } from "react";
import { preloadable } from "@/lib/preloadable";
import { useMember } from "@/lib/session";
import css from "./Own.module.css";

const MemberHome = preloadable(() => import("./MemberHome"));

/**
 * A member's own part, above what Home shows everybody. Its place is kept from the first paint by the mark that index.html sets on the root;
 * a visitor has none.
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
