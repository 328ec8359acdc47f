import { Toaster } from "@/ui/toast/Toaster";
import { OfflineBar } from "./OfflineBar";

/** Short news at the page's lower edge. */
export default function Notices() {
  return (
    <>
      <OfflineBar />
      <Toaster />
    </>
  );
}
