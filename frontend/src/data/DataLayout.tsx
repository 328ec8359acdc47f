import { use } from "react";
import { Outlet } from "react-router";
import { useApp } from "@/lib/app";
import { DataProvider } from "./DataProvider";

/** Around every route that reads from the gateway; with it comes the data chunk. */
export default function DataLayout() {
  return (
    <DataProvider data={use(useApp().data())}>
      <Outlet />
    </DataProvider>
  );
}
