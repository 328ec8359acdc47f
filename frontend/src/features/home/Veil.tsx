import type { AnimationEvent } from "react";
import { useEffect, useRef, useState } from "react";
import { home } from "@/copy/home";
import { shell } from "@/copy/shell";
import { useRememberedInTab } from "@/lib/in-browser";
import { remember } from "@/lib/storage";
import { Button } from "@/ui/Button";
import { Motif } from "@/ui/Marks";
import { Ripples } from "./Ripples";
import css from "./Veil.module.css";

const KEY = "serein-entered";
/** The longest that the veil takes to go (ms): its animation ends sooner, or never, as in a page that is not painted. */
const GONE_MS = 1000;

/**
 * A first quiet moment before the page. It lies over it and hides it from nobody: the page is in the document,
 * screen readers read it, and a keyboard that moves on into the page (or Escape) lifts the veil.
 */
export function Veil() {
  const [phase, setPhase] = useState<"shown" | "leaving" | "gone">("shown");
  const entered = useRememberedInTab(KEY);
  // Remembered from before; while it leaves, it is remembered and still there.
  const state = phase === "shown" && entered ? "gone" : phase;
  const ref = useRef<HTMLElement>(null);
  const shown = state === "shown";

  useEffect(() => {
    if (!shown) return undefined;
    const enter = () => {
      setPhase("leaving");
      remember("sessionStorage", KEY, "yes");
    };
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) enter();
    };
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && enter();
    document.addEventListener("focusin", onFocus);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("keydown", onKey);
    };
  }, [shown]);

  useEffect(() => {
    if (state !== "leaving") return undefined;
    const timer = setTimeout(() => setPhase("gone"), GONE_MS);
    return () => clearTimeout(timer);
  }, [state]);

  if (state === "gone") return null;
  const enter = () => {
    setPhase("leaving");
    remember("sessionStorage", KEY, "yes");
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  // Its own animation is the leaving one; what ends inside it is only a ripple.
  const onEnd = (event: AnimationEvent) => {
    if (event.target === event.currentTarget) setPhase("gone");
  };
  return (
    <section
      ref={ref}
      className={css.veil}
      data-veil={state}
      aria-label={home.veil.label}
      onAnimationEnd={onEnd}
    >
      <Ripples />
      <div className={css.in}>
        <Motif className={css.motif} />
        <p className={css.word}>{shell.name}</p>
        <p className={css.tagline}>{shell.tagline}</p>
        <Button className={css.enter} onClick={enter}>
          {home.veil.enter}
        </Button>
      </div>
    </section>
  );
}
