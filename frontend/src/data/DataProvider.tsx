import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Data } from "@/lib/app";
import { DataContext } from "./data";

/** Hands the gateway's side of the app to what stands inside. */
export function DataProvider({ data, children }: { data: Data; children: ReactNode }) {
  return (
    <DataContext value={data}>
      <TransportProvider transport={data.transport}>
        <QueryClientProvider client={data.queryClient}>{children}</QueryClientProvider>
      </TransportProvider>
    </DataContext>
  );
}
