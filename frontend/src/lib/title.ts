import { useEffect } from "react";

const PRODUCT = "Serein";

/** "Articles · Serein" */
export const fullTitle = (title: string): string => `${title} · ${PRODUCT}`;

/** Gives the document a more telling title than its route's, for instance a meditation's name. */
export function useTitle(title: string): void {
  useEffect(() => {
    if (title) document.title = fullTitle(title);
  }, [title]);
}
