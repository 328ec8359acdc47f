import type { ReactNode } from "react";
import type { Prose } from "@/copy/prose";
import "./prose.css";

/** A page of words: one heading, sections, a column that is easy to read. */
export function ProsePage({ title, prose, children }: { title: string; prose: Prose; children?: ReactNode }) {
  return (
    <article className="prose wrap">
      <header className="page-head">
        <h1>{title}</h1>
        <p className="lead">{prose.lead}</p>
      </header>
      {prose.sections.map((section) => (
        <section key={section.title}>
          <h2>{section.title}</h2>
          {section.text.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      ))}
      {children}
    </article>
  );
}
