import type { KeyboardEvent } from "react";
import { useEffect, useRef } from "react";
import { classes } from "./classes";
import css from "./TabList.module.css";

export interface TabName {
  id: string;
  label: string;
  /** Shown beside the label; left out until it is known. */
  count?: number | string | undefined;
}

interface TabListProps {
  label: string;
  tabs: readonly TabName[];
  selected: string;
  onSelect: (id: string) => void;
  /** Before the ids of the tabs, which their panels name. */
  base: string;
  className?: string | undefined;
}

/** What joins a panel to its tab. */
export const panelProps = (base: string, id: string) =>
  ({ id: `${base}${id}-panel`, "aria-labelledby": base + id }) as const;

/** Tabs: arrow keys, Home and End move between them, and the chosen one alone is a tab stop. */
export function TabList({ label, tabs, selected, onSelect, base, className }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const tab = box?.querySelector<HTMLElement>(`#${CSS.escape(base + selected)}`);
    if (!box || !tab) return undefined;
    // Only the list moves, and no further than it must; scrollIntoView would scroll the page as well.
    const reveal = () => {
      const [least, most] = [tab.offsetLeft + tab.offsetWidth - box.clientWidth, tab.offsetLeft];
      box.scrollLeft = Math.min(Math.max(box.scrollLeft, least), most);
    };
    reveal();
    // A count that comes moves the tabs behind it.
    const sizes = new ResizeObserver(reveal);
    for (const each of box.children) sizes.observe(each);
    return () => sizes.disconnect();
  }, [base, selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((t) => t.id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(base + next.id)}`)?.focus();
  };
  return (
    // The keys belong to the tabs inside; the list only hears them in one place.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      className={classes(css.list, className)}
      role="tablist"
      aria-label={label}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={base + tab.id}
          aria-controls={tab.id === selected ? `${base}${tab.id}-panel` : undefined}
          aria-selected={tab.id === selected}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label} {tab.count === undefined ? null : <span>{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
