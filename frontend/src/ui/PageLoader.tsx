import { Loader } from "./Marks";
import css from "./PageLoader.module.css";

/** In the place of a page while it comes; keeps the footer below the fold, so that nothing jumps. */
export function PageLoader({ label }: { label: string }) {
  return (
    <div className={css.page}>
      <Loader label={label} />
    </div>
  );
}
