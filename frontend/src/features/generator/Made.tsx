import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { generator as copy } from "@/copy/generator";
import { player as playerCopy } from "@/copy/player";
import { usePlayer } from "@/player/hooks";
import { player } from "@/player/runtime";
import { sceneOf } from "@/art/meditation-scene";
import { StageArt } from "@/ui/StageArt";
import type { Meditation, Segment } from "@/gen/serein/web/v1/generator_pb";
import { formatClock } from "@/lib/format";
import { useNight } from "@/lib/night";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Note } from "@/ui/States";
import { keepDraft, notice } from "./draft";
import { creditCount, leftText, sayLength } from "./model";

/** The specification's: the page scrolls to the result after 100 ms. */
const SCROLL_AFTER_MS = 100;

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

function Print({ m }: { m: Meditation }) {
  const name = useMember()?.givenName ?? "";
  const wanted = usePlayer((now) => now.wanted && now.recording?.id === m.id);
  const press = () => (wanted ? player.engine.pause() : player.open(m.id, { play: true }));
  return (
    <div className="print">
      <div className="cover" data-theme="light">
        <div className="print__art">
          <Art scene={sceneOf(m.typeId)} seed={m.title} theme="light" className="art--45" />
          <button
            type="button"
            className="print__play"
            aria-label={wanted ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title)}
            onClick={press}
          >
            <Icon name={wanted ? "pause" : "play"} />
          </button>
        </div>
        <div className="cover__t">
          <p>
            <span>{copy.made.for(name)}</span>
            <span>{formatClock(Number(m.expectedMs))}</span>
          </p>
        </div>
      </div>
    </div>
  );
}

function Saved({ m, justMade }: { m: Meditation; justMade: boolean }) {
  const credits = useMember()?.credits;
  const used = copy.made.used(creditCount(m.cost), m.cost !== 1);
  return (
    <div className="made__note">
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
}: {
  meditation: Meditation;
  segments: readonly Segment[];
  /** It became ready while the member was watching. */
  justMade: boolean;
}) {
  const ref = useScrollHere(justMade);
  useNight(true);
  useEffect(() => {
    if (player.id !== m.id && !player.engine.snapshot().wanted) player.open(m.id);
  }, [m.id]);
  const length = `${m.sizeName}, ${sayLength(Number(m.expectedMs))}`;
  const again = () => {
    keepDraft(null);
    notice.set("");
  };
  return (
    <section className="stage" data-theme="dark" aria-labelledby="made" ref={ref}>
      <StageArt around={ref} seed={9} />
      <div className="wrap">
        <div data-ring>
          <Print m={m} />
        </div>
        <div className="made">
          <p className="small muted">{copy.made.head}</p>
          <h1 id="made">{m.title}</h1>
          <p className="lead">
            {copy.made.with(length, m.track?.name ?? "")}. {copy.made.by(m.narratorName, m.practiceName)}
          </p>
          <Saved m={m} justMade={justMade} />
          <div className="acts">
            <ButtonLink look="primary" to={paths.listen(m.id)}>
              {copy.made.open}
            </ButtonLink>
            <ButtonLink to={paths.generator} onClick={again}>
              {copy.made.another}
            </ButtonLink>
          </div>
          <details className="made__script">
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
        </div>
      </div>
    </section>
  );
}
