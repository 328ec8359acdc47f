import type { ReactNode } from "react";
import { paths } from "@/lib/paths";
import { Navigate } from "@/lib/router";
import { useSession } from "@/lib/session";
import type { Access } from "./access";
import { mayOpen } from "./access";

/** Shows a page to those who may open it, and leads everyone else home. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const session = useSession();
  return mayOpen(access, session) ? children : <Navigate to={paths.home} replace />;
}
