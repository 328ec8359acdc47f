import { Suspense } from "react";
import { preloadable } from "@/lib/preloadable";
import { useStore } from "@/lib/store";
import { Toaster } from "@/ui/toast/Toaster";
import type { LeavingAsked } from "./leaving-store";
import { leavingAsked } from "./leaving-store";
import { OfflineBar } from "./OfflineBar";
import { UserFetch } from "./UserFetch";

const Leaving = preloadable<{ asked: LeavingAsked }>(() => import("./Leaving"));

/** Short news at the page's lower edge, and what a member who signs out is asked. */
export default function Notices() {
  const asked = useStore(leavingAsked);
  return (
    <>
      {asked ? (
        <Suspense>
          <Leaving asked={asked} />
        </Suspense>
      ) : null}
      <OfflineBar />
      <UserFetch />
      <Toaster />
    </>
  );
}
