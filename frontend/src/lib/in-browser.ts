import { useSyncExternalStore } from "react";
import { remembered } from "./storage";

const never = () => () => undefined;

/** False while the build writes the page, and while its markup is taken over; then what only a browser knows may show. */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Whether something was remembered until this tab closes. index.html hides by the same key before the first paint. */
export const useRememberedInTab = (key: string): boolean =>
  useSyncExternalStore(
    never,
    () => remembered("sessionStorage", key) !== null,
    () => false,
  );
