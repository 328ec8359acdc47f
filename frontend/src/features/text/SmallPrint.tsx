import { pages } from "@/copy/pages";
import { text as copy } from "@/copy/text";
import { paths } from "@/lib/paths";
import { NavLink } from "@/lib/router";
import css from "./TextPage.module.css";

/** The legal pages and the sitemap, side by side. */
export function SmallPrint() {
  return (
    <nav className={css.tabs} aria-label={copy.smallPrint}>
      <NavLink to={paths.terms}>{pages.terms}</NavLink>
      <NavLink to={paths.privacy}>{pages.privacy}</NavLink>
      <NavLink to={paths.sitemap}>{pages.sitemap}</NavLink>
    </nav>
  );
}
