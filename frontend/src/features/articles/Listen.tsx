import type { ComponentProps } from "react";
import { Suspense } from "react";
import { articles as copy } from "@/copy/articles";
import { formatCount, listeningOf } from "@/lib/format";
import { useInBrowser } from "@/lib/in-browser";
import { preloadable } from "@/lib/preloadable";
import { field, made, useFill } from "@/lib/template";
import css from "./Listen.module.css";

const ListenPlayer = preloadable(() => import("./ListenPlayer"));

/** The narration of an article: how long it is and who reads it at once, the player as soon as it is there. */
export function Listen(props: ComponentProps<typeof ListenPlayer>) {
  const fill = useFill();
  const { minute, minutes } = copy.listen;
  const length = fill(
    made(formatCount, made(listeningOf, field(props.card, "audioSeconds")), minute, minutes),
  );
  const waiting = <div className={css.waiting} />;
  return (
    <section className={css.listen} data-theme="dark" aria-label={copy.listen.label}>
      <div>
        <b>{copy.listen.title}</b>
        <span className="tnum">{copy.listen.by(length, props.narrator)}</span>
      </div>
      <div className={css.player}>
        {useInBrowser() ? (
          <Suspense fallback={waiting}>
            <ListenPlayer {...props} />
          </Suspense>
        ) : (
          waiting
        )}
      </div>
    </section>
  );
}
