import { studio as copy } from "@/copy/studio";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import css from "./Tabs.module.css";

export const TABS = ["meditation", "article", "unverified", "editor", "trail"] as const;
export type TabId = (typeof TABS)[number];

/** The tab that an address shows; the first for any other word. */
export const tabOf = (search: string): TabId => {
  const wanted = new URLSearchParams(search).get("tab");
  return TABS.find((tab) => tab === wanted) ?? "meditation";
};

export const tabAddress = (tab: TabId): string =>
  tab === "meditation" ? paths.admin : `${paths.admin}?tab=${tab}`;

/** The parts of the workroom: links, for each has its address. */
export function Tabs({ here, unverified }: { here: TabId; unverified: number | undefined }) {
  return (
    <nav className={css.tabs} aria-label={copy.tabs}>
      {TABS.map((tab) => (
        <Link
          key={tab}
          to={tabAddress(tab)}
          className={css.tab}
          aria-current={tab === here ? "page" : undefined}
        >
          {copy[tab]}
          {tab === "unverified" && unverified !== undefined ? (
            <>
              {" "}
              <span className={css.count}>
                <span aria-hidden="true">{unverified}</span>
                <span className="sr">{copy.waiting(unverified)}</span>
              </span>
            </>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
