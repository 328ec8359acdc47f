import type { ReactNode } from "react";
import { generator as copy } from "@/copy/generator";
import { PageHead } from "@/ui/PageHead";
import css from "./Form.module.css";

/** The generator's heading and what stands under it: the same element before and after its questions have come. */
export const Layout = ({ children }: { children: ReactNode }) => (
  <div className="wrap">
    <PageHead title={copy.title} lead={copy.lead} className={css.head} />
    {children}
  </div>
);
