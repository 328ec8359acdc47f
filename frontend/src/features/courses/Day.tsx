import { courses as copy } from "@/copy/courses";
import { player as playerCopy } from "@/copy/player";
import type { CourseCard, CourseDay } from "@/gen/serein/web/v1/courses_pb";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { ArticleCard, MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { has, there, When } from "@/lib/template";
import { useHeard } from "@/player/hooks";
import { playerId, pressRecorded, recordedOf } from "@/player/of-library";
import type { Player } from "@/player/player";
import { Badge } from "@/ui/Badge";
import { Button, ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import css from "./CoursePage.module.css";
import type { CourseActs } from "./useCourse";

interface Sounding {
  player: Player | null;
  track: AmbientTrack | undefined;
}

/** A meditation of the library, which a press plays here. */
function Recording({ m, player, track }: Sounding & { m: MeditationCard }) {
  const playing = useHeard(player) === playerId(m);
  const name = playing ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title);
  return (
    <>
      <When {...has(m, "audioUrl")}>
        <Button small aria-label={name} onClick={() => pressRecorded(player, recordedOf(m, track))}>
          <Icon name={playing ? "pause" : "play"} />
          {m.title}
        </Button>
        {player ? <span className={css.minutes}>{copy.minutes(listeningOf(m.audioSeconds))}</span> : null}
      </When>
      {player && !m.audioUrl ? <p className="small muted">{copy.recording}</p> : null}
    </>
  );
}

/** An article. For who takes the course, its page leads back here. */
const Reading = ({ card, course }: { card: ArticleCard; course: CourseCard | null }) => (
  <ButtonLink small to={course ? paths.articleIn(card.slug, course.slug) : paths.article(card.slug)}>
    {copy.read(card.title)}
  </ButtonLink>
);

/** Done, or its undoing. */
function Mark({ day, taking, mayMark }: { day: CourseDay; taking: CourseActs; mayMark: boolean }) {
  if (day.done)
    return (
      <Button
        look="quiet"
        small
        aria-label={copy.undoOf(day.title)}
        pending={taking.pending}
        onClick={() => taking.mark(day.id, false)}
      >
        <Icon name="undo" />
        {copy.undo}
      </Button>
    );
  if (!mayMark) return null;
  return (
    <Button
      look="tint"
      small
      aria-label={copy.doneWith(day.title)}
      pending={taking.pending}
      onClick={() => taking.mark(day.id, true)}
    >
      <Icon name="tick" />
      {copy.done}
    </Button>
  );
}

interface DayProps extends Sounding {
  day: CourseDay;
  course: CourseCard;
  /** The member's path goes on here. */
  next: boolean;
  /** Null for who does not take the course. */
  taking: CourseActs | null;
  mayMark: boolean;
}

/** One day of the path. Its number is drawn by the list. */
export function Day({ day, course, next, taking, mayMark, ...sounding }: DayProps) {
  const done = taking !== null && day.done;
  return (
    <li className={classes(css.day, done && css.done, next && css.next)} id={`day-${day.id}`}>
      <span className={css.mark} aria-hidden="true">
        {done ? <Icon name="tick" /> : null}
      </span>
      <div className={css.about}>
        <h3>{day.title}</h3>
        {next ? <Badge>{copy.next}</Badge> : null}
        {done ? <span className="sr">{copy.isDone}</span> : null}
        <When {...has(day, "line")}>
          <p className="muted">{day.line}</p>
        </When>
        <When {...has(day, "away")}>
          <p className="small muted">{copy.away}</p>
        </When>
        <div className={css.steps}>
          <When {...there(day.meditation)}>
            {day.meditation ? <Recording m={day.meditation} {...sounding} /> : null}
          </When>
          <When {...there(day.article)}>
            {day.article ? <Reading card={day.article} course={taking && course} /> : null}
          </When>
          {taking ? <Mark day={day} taking={taking} mayMark={mayMark} /> : null}
        </div>
      </div>
    </li>
  );
}
