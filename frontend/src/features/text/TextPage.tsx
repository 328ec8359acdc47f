import { useQuery } from "@connectrpc/connect-query";
import type { ReactNode } from "react";
import { text as copy } from "@/copy/text";
import { toUserError } from "@/data/errors";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { formatVersion } from "@/lib/format";
import { field, has, made, useFill, When } from "@/lib/template";
import { classes } from "@/ui/classes";
import { Html } from "@/ui/Html";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";
import { SmallPrint } from "./SmallPrint";
import css from "./TextPage.module.css";

interface TextPageProps {
  name: "about" | "terms" | "privacy";
  /** One of the legal pages, which lead to each other. */
  legal?: boolean;
  /** A picture above the text, which comes with it. */
  picture?: ReactNode;
  /** What follows the text, and comes with it. */
  children?: ReactNode;
}

/** A page of words, as the content service has them. */
export function TextPage({ name, legal = false, picture, children }: TextPageProps) {
  const fill = useFill();
  const { data, error, refetch } = useQuery(PagesService.method.getText, { name });
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader label={copy.loading} />;
  return (
    <div className={classes("wrap", legal && css.legal)}>
      {picture}
      {legal ? <SmallPrint /> : null}
      <article className={css.text}>
        <PageHead title={data.title} lead={data.description} className={css.head}>
          <When {...has(data, "version")}>
            <p className="small quiet">
              {copy.from}{" "}
              <time dateTime={data.version}>{fill(made(formatVersion, field(data, "version")))}</time>
            </p>
          </When>
        </PageHead>
        <Html html={data.html} className={css.html} />
      </article>
      {children}
    </div>
  );
}
