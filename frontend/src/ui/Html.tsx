import { classes } from "./classes";
import css from "./Html.module.css";

/**
 * HTML of the content service, which has cleaned it (services/content/internal/markup): no script, no style and no
 * handler is in it. Nothing else may be put in here.
 */
export function Html({ html, id, className }: { html: string; id?: string; className?: string | undefined }) {
  return <div id={id} className={classes(css.html, className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
