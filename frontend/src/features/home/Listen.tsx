import { Suspense, useEffect, useRef, useState } from "react";
import { home } from "@/copy/home";
import { preloadable } from "@/lib/preloadable";
import { Art } from "@/ui/Art";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import css from "./Listen.module.css";

const ListenPlayer = preloadable(() => import("./ListenPlayer"));
const words = home.listen;

/**
 * True once the element is near the window, something in it has the focus, since a screen reader need not scroll, or it is pressed: Safari
 * focuses no button that is pressed, and a busy browser is late to say what is near.
 */
function useNear() {
  const ref = useRef<HTMLElement>(null);
  const [near, set] = useState(false);
  useEffect(() => {
    const section = ref.current;
    if (!section) return undefined;
    const come = () => set(true);
    const watch = new IntersectionObserver(
      (crossings) => crossings.some((one) => one.isIntersecting) && come(),
      { rootMargin: "300px" },
    );
    watch.observe(section);
    const signs = ["focusin", "click"];
    for (const sign of signs) section.addEventListener(sign, come);
    return () => {
      watch.disconnect();
      for (const sign of signs) section.removeEventListener(sign, come);
    };
  }, []);
  return { ref, near };
}

/** A minute's recording for visitors. Its player is loaded when the visitor scrolls near it. */
export function Listen() {
  const { ref, near } = useNear();
  const waiting = (
    <Button look="primary" pending>
      <Icon name="play" />
      {words.play}
    </Button>
  );
  return (
    <section
      data-visitor=""
      id="listen"
      ref={ref}
      className={classes("wrap", css.listen)}
      aria-labelledby="listen-title"
    >
      <div className={css.in} data-theme="dark">
        <Art scene="Better Sleep" seed="3" w={600} h={560} theme="dark" className={css.art} />
        <div className={css.text}>
          <p className="small muted">{words.label}</p>
          <h2 id="listen-title">{words.title}</h2>
          <p className="muted">{words.text}</p>
          {near ? (
            <Suspense fallback={waiting}>
              <ListenPlayer />
            </Suspense>
          ) : (
            waiting
          )}
        </div>
      </div>
    </section>
  );
}
