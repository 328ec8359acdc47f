import type { ReactNode } from "react";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { useInBrowser } from "@/lib/in-browser";
import { classes } from "@/ui/classes";
import type { TabName } from "@/ui/TabList";
import { panelProps, TabList } from "@/ui/TabList";
import css from "./Tabs.module.css";

/** ms without a scroll after which a swipe has ended, in browsers that do not tell of its end. */
const STILL_MS = 150;

export interface Tab extends TabName {
  panel: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
}

/** Where a panel that is in view begins, from the rail's left edge; px. */
const edgeOf = (rail: HTMLElement): number => Number.parseFloat(getComputedStyle(rail).paddingLeft);

/**
 * Keeps rail and tab in step: a chosen tab brings its panel, a swiped panel chooses its tab. `whole` says that all panels stand in the rail.
 */
function useRail(selected: string, whole: boolean, onSelect: (id: string) => void) {
  const rail = useRef<HTMLDivElement>(null);
  // Before the browser paints: the panels left of the chosen one would show for a moment.
  useLayoutEffect(() => {
    const box = rail.current;
    const panel = box?.querySelector<HTMLElement>(`[data-tab="${selected}"]`);
    if (!whole || !box || !panel) return undefined;
    // Only the rail moves; scrollIntoView would scroll the page as well.
    const place = () => {
      box.scrollLeft = panel.offsetLeft - edgeOf(box);
    };
    place();
    // A window that is turned or resized, and panels that grow, leave the rail between two of them, or at another.
    const sizes = new ResizeObserver(place);
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [selected, whole]);
  useEffect(() => {
    const box = rail.current;
    if (!box) return undefined;
    const onScrollEnd = () => {
      const start = box.scrollLeft + edgeOf(box);
      const panels = [...box.children].filter((c): c is HTMLElement => c instanceof HTMLElement);
      const near = panels.toSorted(
        (a, b) => Math.abs(a.offsetLeft - start) - Math.abs(b.offsetLeft - start),
      )[0];
      const id = near?.dataset["tab"];
      if (id && id !== selected) onSelect(id);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(onScrollEnd, STILL_MS);
    };
    const end = "onscrollend" in window ? "scrollend" : "scroll";
    const listener = end === "scrollend" ? onScrollEnd : onScroll;
    box.addEventListener(end, listener);
    return () => {
      clearTimeout(timer);
      box.removeEventListener(end, listener);
    };
  }, [selected, onSelect]);
  return rail;
}

/** Tabs over panels that can also be swiped; a lone panel stands by itself, for its tab would choose nothing. */
export function Tabs(props: TabsProps) {
  const [only, ...others] = props.tabs;
  if (only && others.length === 0) return <div className={classes("wrap", css.alone)}>{only.panel}</div>;
  return <Several {...props} />;
}

function Several({ label, tabs, selected, onSelect }: TabsProps) {
  const base = useId();
  // Without the app nothing can bring a panel: what the build writes shows the chosen one alone.
  const hydrated = useInBrowser();
  const rail = useRail(selected, hydrated, onSelect);
  return (
    <>
      <div className="wrap">
        <div className={css.bar}>
          <TabList
            className={css.list}
            base={base}
            label={label}
            tabs={tabs}
            selected={selected}
            onSelect={onSelect}
          />
        </div>
      </div>
      <div className={css.rail} ref={rail}>
        {tabs.map((tab) => (
          <section
            key={tab.id}
            role="tabpanel"
            {...panelProps(base, tab.id)}
            data-tab={tab.id}
            tabIndex={0}
            inert={tab.id !== selected}
            hidden={!hydrated && tab.id !== selected}
          >
            {tab.panel}
          </section>
        ))}
      </div>
    </>
  );
}
