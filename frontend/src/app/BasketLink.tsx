import { Suspense, useEffect, useState } from "react";
import { shell } from "@/copy/shell";
import { whenIdle } from "@/lib/idle";
import { paths } from "@/lib/paths";
import { preloadable } from "@/lib/preloadable";
import { Icon } from "@/ui/Icon";
import { ErrorBoundary } from "./ErrorBoundary";
import { PageLink } from "./PageLink";
import css from "./Header.module.css";

const BasketCount = preloadable(() => import("./BasketCount"));

/** The basket in the bar. What is in it is asked for when nothing else is to do. */
export function BasketLink() {
  const [counted, count] = useState(false);
  useEffect(() => whenIdle(() => count(true)), []);
  return (
    <PageLink to={paths.basket} className={css.basket}>
      <Icon name="basket" />
      <span className="sr">{shell.basket}</span>
      {counted ? (
        <ErrorBoundary quiet>
          <Suspense>
            <BasketCount />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </PageLink>
  );
}
