import type { ReactNode } from "react";
import { useEffect } from "react";
import { useAppData } from "./data";
import { DataProvider } from "./DataProvider";
import { createOwnChanges } from "./own-changes";

/** Around every route that reads from the gateway; with it comes the data chunk. It keeps the tab in step with what others do. */
export default function DataLayout({ children }: { children: ReactNode }) {
  const data = useAppData();
  useEffect(() => data.part(createOwnChanges).follow(), [data]);
  return <DataProvider data={data}>{children}</DataProvider>;
}
