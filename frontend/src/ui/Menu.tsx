import type { KeyboardEvent, ToggleEvent } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { swallowSecond } from "@/lib/double-click";
import { IconButton } from "./Button";
import css from "./Menu.module.css";

export interface MenuItem {
  name: string;
  run: () => void;
}

interface MenuProps {
  /** The name of its button, which is three dots. */
  label: string;
  items: readonly MenuItem[];
}

/** px: how high an item is, and the list's own edges; the styles say the same. */
const ITEM = 44;
const EDGES = 14;
const GAP = 4;

/** Where the list stands: below its button, its right edge at the button's, or above where there is no room. */
function place(button: DOMRect, items: number) {
  const high = items * ITEM + EDGES;
  const below = button.bottom + GAP;
  const fits = below + high <= window.innerHeight;
  return {
    top: fits ? below : Math.max(GAP, button.top - GAP - high),
    right: window.innerWidth - button.right,
  };
}

const entriesOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];

/** The entry that a key leads to. */
function next(list: HTMLElement, key: string): HTMLElement | undefined {
  const all = entriesOf(list);
  const at = all.findIndex((entry) => entry === document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (by) return all[(at + by + all.length) % all.length];
  if (key === "Home") return all[0];
  return key === "End" ? all.at(-1) : undefined;
}

/**
 * A button of three dots with a few actions. A native popover: it lies above everything, and Escape, a press outside or leaving it by
 * Tab closes it; Escape brings the focus back. Arrow keys, Home and End move in it.
 */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    // It stands where its button was.
    const close = () => list.current?.hidePopover();
    const options = { capture: true, passive: true };
    window.addEventListener("scroll", close, options);
    window.addEventListener("resize", close);
    return () => {
      window.removeEventListener("scroll", close, options);
      window.removeEventListener("resize", close);
    };
  }, [open]);
  const onBeforeToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const button = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
    if (newState !== "open" || !button) return;
    const { top, right } = place(button.getBoundingClientRect(), items.length);
    currentTarget.style.top = `${top}px`;
    currentTarget.style.right = `${right}px`;
  };
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    setOpen(newState === "open");
    if (newState === "open") entriesOf(currentTarget)[0]?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Tab") return event.currentTarget.hidePopover();
    const entry = next(event.currentTarget, event.key);
    if (!entry) return;
    event.preventDefault();
    entry.focus();
  };
  return (
    <>
      <IconButton
        icon="more"
        label={label}
        className={css.button}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={css.menu}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {items.map(({ name, run }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={(event) => {
              swallowSecond(event.nativeEvent);
              list.current?.hidePopover();
              run();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
