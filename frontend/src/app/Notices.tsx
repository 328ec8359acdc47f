import { Toaster } from "@/ui/toast/Toaster";
import { OfflineBar } from "./OfflineBar";
import { UserFetch } from "./UserFetch";

/** Short news at the page's lower edge. */
export default function Notices() {
  return (
    <>
      <OfflineBar />
      <UserFetch />
      <Toaster />
    </>
  );
}
