import { useDeferredValue } from "react";
import { generator as copy } from "@/copy/generator";
import type { GetGeneratorResponse } from "@/gen/serein/web/v1/generator_pb";
import { sceneOf } from "@/art/meditation-scene";
import { now } from "@/lib/clock";
import { formatDate } from "@/lib/format";
import { useMember } from "@/lib/session";
import { Cover } from "./Cover";
import css from "./CoverPreview.module.css";
import type { Answers } from "./model";
import { aboutMinutes } from "./model";

/** The live cover: the print follows the title and the type. */
export function CoverPreview({ answers, page }: { answers: Answers; page: GetGeneratorResponse }) {
  const name = useMember()?.givenName ?? "";
  const title = useDeferredValue(answers.title.trim());
  const size = page.sizes.find((s) => s.id === answers.sizeId);
  return (
    <aside className={css.edition} aria-label={copy.edition.label}>
      <Cover scene={sceneOf(answers.typeId)} seed={title || "1"} className={css.cover} textClass={css.text}>
        <h2 className={css.title}>{answers.title.trim() || copy.edition.untitled}</h2>
        <p>
          <span>{copy.edition.for(name, formatDate(now()))}</span>
          <span>{size ? aboutMinutes(size.expectedSeconds) : ""}</span>
        </p>
      </Cover>
      <p className={css.note}>{copy.edition.note}</p>
    </aside>
  );
}
