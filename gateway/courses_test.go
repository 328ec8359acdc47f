package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
)

const coursesOf = "/serein.web.v1.CoursesService/"

func TestACourseIsShownAsFarAsTheCallerMayHaveIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor, b := s.gateways[0].browser(t), s.member(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "library", "articles"))
	seen := tree(t, visitor.call(t, coursesOf+"GetCourse", `{"slug":"`+aCourse+`"}`).body)
	require.Equal(t, "/media/assets/5e/lake.webp", at(t, seen, "card", "picture", "url"))
	require.Equal(t, openSlug, at(t, seen, "days", 0, "article", "slug"))
	require.Equal(t, true, at(t, seen, "days", 1, "locked"))
	require.NotContains(t, seen, "tracks")
	mine := tree(t, b.call(t, coursesOf+"GetCourse", `{"slug":"`+aCourse+`"}`).body)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, mine, "days", 1, "meditation", "audioUrl"))
	require.Equal(t, "second", mine["nextDay"])
	require.NotEmpty(t, mine["tracks"])
	require.Equal(t, http.StatusNotFound, visitor.call(t, coursesOf+"GetCourse", `{"slug":"nothing"}`).StatusCode)
	require.Equal(t, "Seven Quiet Evenings", at(t, tree(t, visitor.call(t, coursesOf+"ListCourses", `{}`).body), "courses", 0, "title"))
}

func TestAMemberTakesACourse(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "library"))
	for name, body := range map[string]string{
		"StartCourse": `{"course":"` + aCourse + `","over":true}`, "LeaveCourse": `{"course":"` + aCourse + `"}`,
		"MarkDay": `{"course":"` + aCourse + `","day":"first"}`, "UnmarkDay": `{"course":"` + aCourse + `","day":"first"}`,
	} {
		require.Equal(t, http.StatusOK, b.call(t, coursesOf+name, body).StatusCode, name)
		require.Equal(t, http.StatusBadRequest, b.call(t, coursesOf+name, `{"course":"two words","day":"first"}`).StatusCode, name)
	}
	started, ok := s.services.lastRequest("StartCourseRequest").(*contentv1.StartCourseRequest)
	require.True(t, ok)
	require.True(t, started.GetOver())
	require.Contains(t, s.services.subjectOf(contentv1connect.CourseServiceMarkDayProcedure).Entitlements, "library")
	mine := tree(t, b.call(t, coursesOf+"ListMyCourses", `{}`).body)
	require.Equal(t, "Let go", at(t, mine, "courses", 0, "next", "title"))
	require.NotContains(t, at(t, mine, "courses", 1), "next")
}
