import type { ReactNode } from "react";
import type { Prose } from "@/copy/prose";
import { prose as words } from "@/copy/prose";
import { formatVersion } from "@/lib/format";
import { classes } from "@/ui/classes";
import { PageHead } from "@/ui/PageHead";
import { PhoneNumbers } from "@/ui/PhoneNumbers";
import css from "./ProsePage.module.css";

/** A page of words: one column, easy to read. */
export function ProsePage({ title, prose, children }: { title: string; prose: Prose; children?: ReactNode }) {
  return (
    <article className={classes("wrap", css.prose)}>
      <PageHead title={title} lead={prose.lead} className={css.head}>
        {prose.version ? (
          <p className="small quiet">
            {words.from} <time dateTime={prose.version}>{formatVersion(prose.version)}</time>
          </p>
        ) : null}
      </PageHead>
      {prose.sections.map((section) => (
        <section key={section.title}>
          <h2>{section.title}</h2>
          {section.text.map((text) => (
            <p key={text}>
              <PhoneNumbers>{text}</PhoneNumbers>
            </p>
          ))}
        </section>
      ))}
      {children}
    </article>
  );
}
