import type { ReactNode } from "react";
import { useState } from "react";
import { homeAsking, sessionEnded } from "@/lib/account-panel";
import { useInBrowser } from "@/lib/in-browser";
import { paths } from "@/lib/paths";
import { Navigate, useLocation } from "@/lib/router";
import { useSession } from "@/lib/session";
import type { Access } from "./access";
import { mayOpen } from "./access";

/** Leads home from the address at which it is first shown. */
function Leave({ asks }: { asks: boolean }) {
  const { pathname, search } = useLocation();
  const [to] = useState(asks ? homeAsking(pathname + search) : paths.home);
  return <Navigate to={to} replace />;
}

/**
 * Shows a page to those who may open it and leads everyone else home. A visitor's address there names the page
 * (`return_to`), so that home offers to sign in; a member who has just signed out gets no such offer. The gateway sends
 * the prerendered markup of a page only to those who may open it, so it is hydrated before access is checked.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const session = useSession();
  const [wasMember, remember] = useState(false);
  const written = !useInBrowser();
  if (session.member && !wasMember) remember(true);
  if (written || mayOpen(access, session)) return children;
  return <Leave asks={!session.member && (!wasMember || sessionEnded.get())} />;
}
