import type { ReactNode } from "react";
import { use } from "react";
import { useApp } from "@/lib/app";
import { DataProvider } from "./DataProvider";

/** Around every route that reads from the gateway; with it comes the data chunk. */
export default function DataLayout({ children }: { children: ReactNode }) {
  return <DataProvider data={use(useApp().data())}>{children}</DataProvider>;
}
