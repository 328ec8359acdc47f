import { generator as copy } from "@/copy/generator";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import css from "./Form.module.css";

/** How the generator begins, before its questions are there. */
export const Opening = () => (
  <div className="wrap">
    <PageHead title={copy.title} lead={copy.lead} className={css.head} />
    <PageLoader label={copy.loading} />
  </div>
);
