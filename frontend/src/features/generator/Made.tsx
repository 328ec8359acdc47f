import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { Link } from "@/lib/router";
import { generator as copy } from "@/copy/generator";
import { usePut } from "@/player/hooks";
import { ShareButton } from "@/player/share/ShareButton";
import type { Meditation, Segment } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { classes } from "@/ui/classes";
import { Note } from "@/ui/States";
import { dropDraft } from "./draft";
import css from "./Made.module.css";
import { creditCount, leftText, sayLength } from "./model";
import { NightStage } from "./NightStage";
import { Artwork } from "./Artwork";

/** The specification's: the page scrolls to the result after 100 ms. */
const SCROLL_AFTER_MS = 100;

/** Brings the part into view once, when it has become ready before the member's eyes. */
function useScrollHere(justMade: boolean) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!justMade) return undefined;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(
      () => ref.current?.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" }),
      SCROLL_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [justMade]);
  return ref;
}

function Saved({ m, justMade }: { m: Meditation; justMade: boolean }) {
  const credits = useMember()?.credits;
  const used = copy.made.used(creditCount(m.cost), m.cost !== 1);
  return (
    <div className={css.note}>
      <Note icon="save">
        {copy.made.savedTo}
        <Link to={paths.journey}>{copy.made.savedLink}</Link>. {used}
        {justMade && credits ? `; ${copy.made.left(leftText(credits))}` : ""}.
      </Note>
    </div>
  );
}

/** Ready: the print rises out of the water. */
export function Made({
  meditation: m,
  segments,
  justMade,
  notice,
}: {
  meditation: Meditation;
  segments: readonly Segment[];
  /** It became ready while the member was watching. */
  justMade: boolean;
  /** What has to be known of it, in place of where it was saved. */
  notice: ReactNode;
}) {
  const ref = useScrollHere(justMade);
  usePut(m.id);
  const length = `${m.sizeName}, ${sayLength(Number(m.expectedMs))}`;
  return (
    <NightStage labelledBy="made" figure={<Artwork meditation={m} />} follow ref={ref}>
      <p className={classes("small muted", css.kind)}>{copy.made.head}</p>
      <h1 id="made" className={css.title}>
        {m.title}
      </h1>
      <p className="lead">
        {copy.made.with(length, m.track?.name ?? "")}. {copy.made.by(m.narratorName, m.practiceName)}
      </p>
      {m.endedEarly ? <p className="muted">{copy.made.endedEarly}</p> : null}
      {notice ? <div className={css.note}>{notice}</div> : <Saved m={m} justMade={justMade} />}
      <div className={css.acts}>
        <ButtonLink look="primary" to={paths.listen(m.id)}>
          {copy.made.open}
        </ButtonLink>
        <ShareButton id={m.id} title={m.title} />
        <ButtonLink to={paths.generator} className={css.again} onClick={dropDraft}>
          {copy.made.another}
        </ButtonLink>
      </div>
      <details className={css.script}>
        <summary>
          {copy.made.read} <Icon name="down" />
        </summary>
        {segments.map((s) => (
          <p key={s.index}>{s.lines.map((line) => line.text).join(" ")}</p>
        ))}
      </details>
      <p className="sr" role="status">
        {justMade ? copy.made.announce : ""}
      </p>
    </NightStage>
  );
}
