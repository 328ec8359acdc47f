import { use, useEffect } from "react";
import { DataProvider } from "@/data/DataProvider";
import { TopUpDialog } from "@/features/top-up/TopUpDialog";
import { useApp } from "@/lib/app";
import { topUpOpen } from "@/lib/top-up";

const close = () => topUpOpen.set(false);

/** The packs of credits, over any page. Back leads away from the page, and so from them. */
export default function TopUp() {
  useEffect(() => {
    window.addEventListener("popstate", close);
    return () => window.removeEventListener("popstate", close);
  }, []);
  return (
    <DataProvider data={use(useApp().data())}>
      <TopUpDialog onClose={close} />
    </DataProvider>
  );
}
