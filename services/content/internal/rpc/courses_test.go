package rpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/auth"
)

const evenings, firstWeek, people = "seven-quiet-evenings", "a-first-week", "with-other-people"

var all = auth.Subject{UID: uuid.NewString(), Entitlements: []string{"articles", "library"}}

func (h *harness) course(t *testing.T, who auth.Subject, slug string) *contentv1.GetCourseResponse {
	t.Helper()
	res, err := h.GetCourse(auth.WithSubject(t.Context(), who), &contentv1.GetCourseRequest{Slug: slug})
	require.NoError(t, err)
	return res
}

// change publishes an entry as to makes it; nil withdraws it.
func (h *harness) change(t *testing.T, id string, to func(fields entry.Fields)) error {
	t.Helper()
	editor := entry.Actor{Name: "amara", Editor: true}
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	item, err := h.store.Item(t.Context(), key)
	require.NoError(t, err)
	if to == nil {
		_, err = h.store.Unpublish(t.Context(), editor, key, item.Version)
		return err
	}
	to(item.Fields)
	item, err = h.store.Update(t.Context(), editor, key, item.Version, entry.Draft{Fields: item.Fields})
	require.NoError(t, err)
	_, err = h.store.Publish(t.Context(), editor, key, item.Version)
	return err
}

func daysOf(fields entry.Fields) []any {
	days, _ := fields["days"]["en-GB"].([]any)
	return days
}

func TestCoursesAreForEverybodyAndTheirDaysForWhoMayHaveThem(t *testing.T) {
	t.Parallel()
	h := filled(t)
	list, err := h.ListCourses(t.Context(), &contentv1.ListCoursesRequest{})
	require.NoError(t, err)
	require.Equal(t, []string{firstWeek, evenings, people}, []string{list.GetCourses()[0].GetSlug(), list.GetCourses()[1].GetSlug(), list.GetCourses()[2].GetSlug()})
	require.EqualValues(t, 7, list.GetCourses()[0].GetDays())
	require.Equal(t, "Mindfulness", list.GetCourses()[0].GetCategory().GetName())

	for _, who := range []auth.Subject{nobody, member} {
		seen := h.course(t, who, evenings)
		require.True(t, strings.HasPrefix(seen.GetOpeningHtml(), "<p>An evening has a shape"))
		require.Len(t, seen.GetDays(), 7)
		require.Empty(t, seen.GetNextDay())
		first, second := seen.GetDays()[0], seen.GetDays()[1]
		require.Equal(t, "a-short-history-of-your-evening", first.GetArticle().GetSlug(), "an open article")
		require.NotEmpty(t, first.GetLine())
		require.Equal(t, "Let them get off", second.GetTitle())
		require.Empty(t, second.GetLine())
		require.Nil(t, second.GetMeditation())
		require.True(t, second.GetLocked())
	}
	heard := h.course(t, listener, evenings).GetDays()[5]
	require.Equal(t, "a-berth-on-the-night-ferry", heard.GetMeditation().GetSlug())
	require.Nil(t, heard.GetArticle())
	require.True(t, heard.GetLocked())
	whole := h.course(t, all, evenings).GetDays()[5]
	require.Equal(t, "awake-at-three", whole.GetArticle().GetSlug())
	require.NotNil(t, whole.GetMeditation())
	require.False(t, whole.GetLocked())

	_, err = h.GetCourse(t.Context(), &contentv1.GetCourseRequest{Slug: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err))
}

func TestAMemberGoesThroughACourseAtTheirOwnPace(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx := auth.WithSubject(t.Context(), all)
	next := func() string { return h.course(t, all, evenings).GetNextDay() }
	mark := func(day string) error {
		_, err := h.MarkDay(ctx, &contentv1.MarkDayRequest{Course: evenings, Day: day})
		return err
	}
	require.Equal(t, errorsv1.Reason_REASON_COURSE_NOT_STARTED, reasonOf(mark("history")))
	for range 2 {
		_, err := h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: evenings})
		require.NoError(t, err)
		require.NoError(t, mark("history"))
	}
	require.Equal(t, "train", next())
	require.NoError(t, mark("windows"), "days are taken in any order")
	require.Equal(t, "train", next())
	require.NoError(t, mark("train"))
	require.Equal(t, "pockets", next())
	for range 2 {
		_, err := h.UnmarkDay(ctx, &contentv1.UnmarkDayRequest{Course: evenings, Day: "train"})
		require.NoError(t, err)
	}
	require.Equal(t, "train", next())
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(mark("eighth")))

	_, err := h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: people})
	require.NoError(t, err)
	mine, err := h.ListMyCourses(ctx, &contentv1.ListMyCoursesRequest{})
	require.NoError(t, err)
	require.Equal(t, people, mine.GetCourses()[0].GetCard().GetId(), "the last touched first")
	require.Equal(t, "train", mine.GetCourses()[1].GetNext().GetId())
	require.EqualValues(t, 2, mine.GetCourses()[1].GetNext().GetNumber())

	exported, err := h.ExportCourses(ctx, &contentv1.ExportCoursesRequest{})
	require.NoError(t, err)
	require.Equal(t, []string{"Where did it turn?", "Across the street"}, exported.GetCourses()[1].GetDone())

	_, err = h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: evenings, Over: true})
	require.NoError(t, err)
	require.Equal(t, "history", next())
	for range 2 {
		_, err = h.LeaveCourse(ctx, &contentv1.LeaveCourseRequest{Course: evenings})
		require.NoError(t, err)
	}
	require.False(t, h.course(t, all, evenings).GetCard().GetTaken())
	require.False(t, h.course(t, listener, people).GetCard().GetTaken(), "another member's own")
}

func TestCoursesAreTakenByMembersWhosePlanHasTheLibrary(t *testing.T) {
	t.Parallel()
	h := filled(t)
	for _, of := range []struct {
		who    auth.Subject
		reason errorsv1.Reason
	}{
		{nobody, errorsv1.Reason_REASON_UNAUTHENTICATED},
		{member, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED},
		{subscriber, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED},
		{listener, errorsv1.Reason_REASON_UNSPECIFIED},
		{admin, errorsv1.Reason_REASON_UNSPECIFIED},
	} {
		ctx := auth.WithSubject(t.Context(), of.who)
		_, err := h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: people})
		if of.reason == errorsv1.Reason_REASON_UNSPECIFIED {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, of.reason, reasonOf(err))
		_, err = h.MarkDay(ctx, &contentv1.MarkDayRequest{Course: people, Day: "table"})
		require.Equal(t, of.reason, reasonOf(err))
	}
	lapsed := auth.WithSubject(t.Context(), auth.Subject{UID: listener.UID})
	mine, err := h.ListMyCourses(lapsed, &contentv1.ListMyCoursesRequest{})
	require.NoError(t, err)
	require.Equal(t, "Four short cards", mine.GetCourses()[0].GetNext().GetTitle(), "what was begun stays with its member")
	require.Empty(t, mine.GetCourses()[0].GetNext().GetLine())
	_, err = h.LeaveCourse(lapsed, &contentv1.LeaveCourseRequest{Course: people})
	require.NoError(t, err)
}

func TestWhatIsHeardToItsEndIsADoneDay(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx := auth.WithSubject(t.Context(), all)
	_, err := h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: people})
	require.NoError(t, err)
	item := &contentv1.ItemRef{Kind: aMeditation, Id: "four-postcards"}
	begun, err := h.StartListening(ctx, &contentv1.StartListeningRequest{Item: item, Device: uuid.NewString()})
	require.NoError(t, err)
	write := func(step, at int64) {
		_, err := h.SavePlace(ctx, &contentv1.SavePlaceRequest{Item: item, Turn: begun.GetTurn(), Step: step, PositionMs: at, DurationMs: 300_000})
		require.NoError(t, err)
	}
	write(1, 200_000)
	require.Equal(t, "postcards", h.course(t, all, people).GetNextDay())
	write(2, 299_000)
	require.Equal(t, "table", h.course(t, all, people).GetNextDay())
	_, err = h.UnmarkDay(ctx, &contentv1.UnmarkDayRequest{Course: people, Day: "postcards"})
	require.NoError(t, err)
	write(2, 299_000)
	write(3, 300_000)
	require.Equal(t, "postcards", h.course(t, all, people).GetNextDay(), "the same listening marks once")
}

func TestAnEditorsChangeKeepsWhatMembersHaveDone(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx := auth.WithSubject(t.Context(), all)
	_, err := h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: people})
	require.NoError(t, err)
	_, err = h.MarkDay(ctx, &contentv1.MarkDayRequest{Course: people, Day: "table"})
	require.NoError(t, err)
	require.NoError(t, h.change(t, people, func(fields entry.Fields) { // the second day first, with another title
		days := daysOf(fields)
		days[0], days[1] = days[1], days[0]
		days[0].(map[string]any)["title"] = "The table" //nolint:forcetypeassert // a test
	}))
	seen := h.course(t, all, people)
	require.Equal(t, "The table", seen.GetDays()[0].GetTitle())
	require.True(t, seen.GetDays()[0].GetDone())
	require.Equal(t, "postcards", seen.GetNextDay())

	require.NoError(t, h.change(t, "four-postcards", nil))
	away := h.course(t, all, people)
	require.True(t, away.GetDays()[1].GetAway())
	require.NotEmpty(t, away.GetDays()[1].GetLine())
	require.Equal(t, "reply", away.GetNextDay(), "a day that is away does not block the path")

	require.NoError(t, h.change(t, people, nil))
	mine, err := h.ListMyCourses(ctx, &contentv1.ListMyCoursesRequest{})
	require.NoError(t, err)
	require.Empty(t, mine.GetCourses())
	exported, err := h.ExportCourses(ctx, &contentv1.ExportCoursesRequest{})
	require.NoError(t, err)
	require.Equal(t, people, exported.GetCourses()[0].GetId())
	require.Equal(t, []string{"table"}, exported.GetCourses()[0].GetDone())

	err = pgx.BeginFunc(t.Context(), h.Pool, func(tx pgx.Tx) error { return h.stores.ForgetMember(t.Context(), tx, uuid.MustParse(all.UID)) })
	require.NoError(t, err)
	_, err = h.StartCourse(ctx, &contentv1.StartCourseRequest{Course: evenings})
	require.NoError(t, err)
	progress, err := h.stores.Courses.Progress(context.WithoutCancel(ctx), uuid.MustParse(all.UID))
	require.NoError(t, err)
	require.Empty(t, progress, "nothing is kept of a deleted account, and nothing comes back")
}

func TestAnEditorPublishesACourseThatLeadsToWhatReadersHave(t *testing.T) {
	t.Parallel()
	h := filled(t)
	object := func(day any) map[string]any { return day.(map[string]any) } //nolint:forcetypeassert // a test
	for fault, change := range map[string]func(fields entry.Fields){
		"Number 1: Meditation: nowhere is not published":         func(f entry.Fields) { object(daysOf(f)[0])["meditation"] = "nowhere" },
		"Number 2: Meditation: awake-at-three is not published":  func(f entry.Fields) { object(daysOf(f)[1])["meditation"] = "awake-at-three" },
		"Number 1: It needs one of meditation, article at least": func(f entry.Fields) { object(daysOf(f)[0])["meditation"] = " " },
		"Number 2: Id (keep it when the day moves or its words":  func(f entry.Fields) { object(daysOf(f)[1])["id"] = "postcards" },
		"Number 3: Title: A value is needed":                     func(f entry.Fields) { object(daysOf(f)[2])["title"] = "" },
		"The length must be from 1 to 60":                        func(f entry.Fields) { f["days"]["en-GB"] = many(daysOf(f), 61) },
		"days (en-GB): A value is needed":                        func(f entry.Fields) { f["days"]["en-GB"] = []any{} },
		"slug (en-GB): Another entry has this value":             func(f entry.Fields) { f["slug"]["en-GB"] = evenings },
	} {
		err := h.change(t, people, change)
		require.ErrorContains(t, err, fault)
		require.Len(t, h.course(t, all, people).GetDays(), 5, "readers keep what was published")
		require.NoError(t, h.restore(t, people))
	}
}

// many days, no two with the same id.
func many(days []any, count int) (more []any) {
	for n := range count {
		more = append(more, map[string]any{"id": strings.Repeat("a", n%30+1) + strings.Repeat("b", n/30+1), "title": "A day", "meditation": days[0].(map[string]any)["meditation"]}) //nolint:forcetypeassert // a test
	}
	return more
}

// restore makes the draft what readers have.
func (h *harness) restore(t *testing.T, id string) error {
	t.Helper()
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	item, err := h.store.Item(t.Context(), key)
	require.NoError(t, err)
	published, err := h.store.Published(t.Context(), key)
	require.NoError(t, err)
	_, err = h.store.Update(t.Context(), entry.Actor{Name: "amara", Editor: true}, key, item.Version, entry.Draft{Fields: published.Fields})
	return err
}
