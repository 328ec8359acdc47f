package gateway

import (
	"context"
	"net/http"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

const aCourse = "seven-quiet-evenings"

// courseFake has one course, whose first day leads to an article and the second to a recording.
type courseFake struct{ *services }

func coursePolicy(policy auth.Policy) auth.Policy {
	policy[contentv1connect.CourseServiceListCoursesProcedure] = auth.Rule{Services: []string{"gateway"}}
	policy[contentv1connect.CourseServiceGetCourseProcedure] = auth.Rule{Services: []string{"gateway"}}
	for _, procedure := range []string{
		contentv1connect.CourseServiceStartCourseProcedure, contentv1connect.CourseServiceMarkDayProcedure, contentv1connect.CourseServiceUnmarkDayProcedure,
		contentv1connect.CourseServiceLeaveCourseProcedure, contentv1connect.CourseServiceListMyCoursesProcedure, contentv1connect.CourseServiceExportCoursesProcedure,
	} {
		policy[procedure] = auth.Rule{Services: []string{"gateway"}, Member: true}
	}
	return policy
}

func (f courseFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(contentv1connect.NewCourseServiceHandler(f, r.Options()...))
}

func courseOf(ctx context.Context) *contentv1.CourseCard {
	return &contentv1.CourseCard{
		Id: aCourse, Slug: aCourse, Title: "Seven Quiet Evenings", Description: "A slow walk.", Days: 2, Taken: auth.SubjectFrom(ctx).UID != "",
		Category: &contentv1.Category{Id: "better-sleep", Name: "Better Sleep", Confidence: 100},
		Picture:  &contentv1.Picture{Path: "assets/5e/lake.webp", Alt: "A lake", Width: 3, Height: 2},
	}
}

func (f courseFake) ListCourses(ctx context.Context, req *contentv1.ListCoursesRequest) (*contentv1.ListCoursesResponse, error) {
	return &contentv1.ListCoursesResponse{Courses: []*contentv1.CourseCard{courseOf(ctx)}}, f.heard(ctx, req)
}

func (f courseFake) GetCourse(ctx context.Context, req *contentv1.GetCourseRequest) (*contentv1.GetCourseResponse, error) {
	if req.GetSlug() != aCourse {
		return nil, errNoItem
	}
	out := &contentv1.GetCourseResponse{Card: courseOf(ctx), OpeningHtml: "<p>An evening has a shape.</p>", Days: []*contentv1.CourseDay{
		{Id: "first", Title: "Where it turned", Line: "Ten minutes.", Article: &contentv1.ArticleCard{Id: "id-" + openSlug, Slug: openSlug, Title: "What the breath knows first", Open: true}},
		{Id: "second", Title: "Let go", Locked: true},
	}}
	if auth.SubjectFrom(ctx).Entitled("library") {
		out.NextDay = "second"
		out.Days[1] = &contentv1.CourseDay{Id: "second", Title: "Let go", Line: "Slowly.", Meditation: aRecording()}
	}
	return out, f.heard(ctx, req)
}

func (f courseFake) StartCourse(ctx context.Context, req *contentv1.StartCourseRequest) (*contentv1.StartCourseResponse, error) {
	return &contentv1.StartCourseResponse{}, f.heard(ctx, req)
}

func (f courseFake) MarkDay(ctx context.Context, req *contentv1.MarkDayRequest) (*contentv1.MarkDayResponse, error) {
	return &contentv1.MarkDayResponse{}, f.heard(ctx, req)
}

func (f courseFake) UnmarkDay(ctx context.Context, req *contentv1.UnmarkDayRequest) (*contentv1.UnmarkDayResponse, error) {
	return &contentv1.UnmarkDayResponse{}, f.heard(ctx, req)
}

func (f courseFake) LeaveCourse(ctx context.Context, req *contentv1.LeaveCourseRequest) (*contentv1.LeaveCourseResponse, error) {
	return &contentv1.LeaveCourseResponse{}, f.heard(ctx, req)
}

func (f courseFake) ListMyCourses(ctx context.Context, req *contentv1.ListMyCoursesRequest) (*contentv1.ListMyCoursesResponse, error) {
	return &contentv1.ListMyCoursesResponse{Courses: []*contentv1.MyCourse{
		{Card: courseOf(ctx), Next: &contentv1.NextDay{Id: "second", Title: "Let go", Line: "Slowly.", Number: 2}},
		{Card: &contentv1.CourseCard{Id: "done", Title: "A First Week", Finished: true}},
	}}, f.heard(ctx, req)
}

func (f courseFake) ExportCourses(ctx context.Context, req *contentv1.ExportCoursesRequest) (*contentv1.ExportCoursesResponse, error) {
	return &contentv1.ExportCoursesResponse{Courses: []*contentv1.ExportedCourse{{Id: aCourse, Title: "Seven Quiet Evenings", Done: []string{"Where it turned"}}}}, f.heard(ctx, req)
}
