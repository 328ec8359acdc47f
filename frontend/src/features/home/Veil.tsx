import type { AnimationEvent } from "react";
import { useEffect, useRef, useState } from "react";
import { home } from "@/copy/home";
import { shell } from "@/copy/shell";
import { remember, remembered } from "@/lib/storage";
import { Button } from "@/ui/Button";
import { Motif } from "@/ui/Marks";
import { Ripples } from "./Ripples";

const KEY = "serein-entered";

/**
 * A first quiet moment before the page. It lies over it and hides it from nobody: the page is in the document,
 * screen readers read it, and a keyboard that moves on into the page (or Escape) lifts the veil.
 */
export function Veil() {
  const [state, setState] = useState<"shown" | "leaving" | "gone">(() =>
    remembered("sessionStorage", KEY) ? "gone" : "shown",
  );
  const ref = useRef<HTMLElement>(null);
  const shown = state === "shown";

  useEffect(() => {
    if (!shown) return undefined;
    const enter = () => {
      remember("sessionStorage", KEY, "yes");
      setState("leaving");
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

  if (state === "gone") return null;
  const enter = () => {
    remember("sessionStorage", KEY, "yes");
    setState("leaving");
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  const onEnd = (event: AnimationEvent) => {
    if (event.animationName === "veil-leave") setState("gone");
  };
  return (
    <section
      ref={ref}
      className="veil"
      data-leaving={state === "leaving" || undefined}
      aria-label={home.veil.label}
      onAnimationEnd={onEnd}
    >
      <Ripples />
      <div className="veil__in">
        <Motif />
        <p className="word">{shell.name}</p>
        <p className="tag">{shell.tagline}</p>
        <Button onClick={enter}>{home.veil.enter}</Button>
      </div>
    </section>
  );
}
