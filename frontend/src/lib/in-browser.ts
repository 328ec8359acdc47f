import { useSyncExternalStore } from "react";
import { remembered, rememberedInSession } from "./storage";

const never = () => () => undefined;

/** False while the build writes the page, and while its markup is taken over; then what only a browser knows may show. */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** What was remembered until this tab closes; null for nothing. */
export const useWordOfTab = (key: string): string | null =>
  useSyncExternalStore(
    never,
    () => remembered("sessionStorage", key),
    () => null,
  );

/** Whether something was remembered until this tab closes. index.html hides by the same key before the first paint. */
export const useRememberedInTab = (key: string): boolean => useWordOfTab(key) !== null;

/** Whether something was remembered until this browser closes, in whichever tab. index.html hides by the same key. */
export const useRememberedInSession = (key: string): boolean =>
  useSyncExternalStore(
    never,
    () => rememberedInSession(key),
    () => false,
  );
