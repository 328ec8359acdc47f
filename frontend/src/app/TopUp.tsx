import { useEffect } from "react";
import { useAppData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { TopUpDialog } from "@/features/top-up/TopUpDialog";
import { topUpOpen } from "@/lib/top-up";

const close = () => topUpOpen.set(false);

/** The packs of credits, over any page. Back leads away from the page, and so from them. */
export default function TopUp() {
  useEffect(() => {
    window.addEventListener("popstate", close);
    return () => window.removeEventListener("popstate", close);
  }, []);
  return (
    <DataProvider data={useAppData()}>
      <TopUpDialog onClose={close} />
    </DataProvider>
  );
}
