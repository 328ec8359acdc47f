import { Suspense } from "react";
import { articles as copy } from "@/copy/articles";
import { useInBrowser } from "@/lib/in-browser";
import { preloadable } from "@/lib/preloadable";
import css from "./Share.module.css";

const ShareArticle = preloadable(() => import("./ShareArticle"));

/** Its place is kept. */
const waiting = <div className={css.waiting} />;

/** "Pass this on", below an article. What is in it depends on browser and reader, so it comes with the app. */
export function Share(props: { slug: string; title: string }) {
  return (
    <section className={css.share} aria-labelledby="share">
      <h2 id="share" className={css.title}>
        {copy.passOn}
      </h2>
      {useInBrowser() ? (
        <Suspense fallback={waiting}>
          <ShareArticle {...props} />
        </Suspense>
      ) : (
        waiting
      )}
    </section>
  );
}
