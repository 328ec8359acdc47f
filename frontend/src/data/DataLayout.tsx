import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet } from "react-router";
import { transport } from "@/data/transport";
import { queryClient } from "./query";

/** Around every route that reads from the gateway; with it comes the data chunk. */
export default function DataLayout() {
  return (
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queryClient}>
        <Outlet />
      </QueryClientProvider>
    </TransportProvider>
  );
}
