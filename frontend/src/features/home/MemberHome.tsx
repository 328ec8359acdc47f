import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { greeting } from "@/copy/day";
import { memberHome as copy } from "@/copy/member-home";
import type { MyCourse } from "@/gen/serein/web/v1/courses_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import type { GetMemberHomeResponse } from "@/gen/serein/web/v1/home_pb";
import { HomeService } from "@/gen/serein/web/v1/home_pb";
import type { ListPlacesResponse } from "@/gen/serein/web/v1/player_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import type { Member } from "@/lib/boot";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { classes } from "@/ui/classes";
import { CarryOn } from "./CarryOn";
import { useHour } from "./hour";
import { Means } from "./Means";
import css from "./MemberHome.module.css";
import { goingOn, NextStep } from "./NextStep";
import { Otherwise, Suggestion } from "./Suggestion";

interface PartsProps {
  member: Member;
  hour: number;
  home: GetMemberHomeResponse | undefined;
  places: ListPlacesResponse | undefined;
  course: MyCourse | undefined;
}

/**
 * One thing or two. What there is not, and what could not be asked for, is left out, and the rest takes its place. The next day of a
 * course comes before a suggestion: the member has chosen it.
 */
function Parts({ member, hour, home, places, course }: PartsProps) {
  const place = places?.places[0];
  const begun = home?.meditation !== undefined && home.meditation.id === place?.item?.id;
  const suggests = Boolean(home?.meditation ?? home?.title) && !begun && !course;
  return (
    <>
      {place && places ? <CarryOn place={place} tracks={places.tracks} /> : null}
      {course ? <NextStep course={course} /> : null}
      {home && suggests ? <Suggestion home={home} hour={hour} /> : null}
      {place || suggests || course ? null : <Otherwise member={member} />}
    </>
  );
}

/** A greeting, what is left to do, what was begun, and one thing for this hour. */
export default function MemberHome({ member }: { member: Member }) {
  useMiniPlayer();
  const clock = useHour();
  const home = useQuery(HomeService.method.getMemberHome, clock, { placeholderData: keepPreviousData });
  const places = useQuery(PlayerService.method.listPlaces, { pageSize: 1 });
  const mine = useQuery(CoursesService.method.listMyCourses, {});
  const waits = home.isPending || places.isPending || mine.isPending;
  return (
    <section className={classes("wrap", css.home)} aria-labelledby="member-home">
      <div>
        <h2 id="member-home" className={css.hello}>
          {copy.hello(greeting(clock.hour), member.givenName)}
        </h2>
        <Means member={member} />
      </div>
      <div className={css.parts}>
        {waits ? null : (
          <Parts
            member={member}
            hour={clock.hour}
            home={home.data}
            places={places.data}
            course={goingOn(mine.data?.courses)}
          />
        )}
      </div>
    </section>
  );
}
