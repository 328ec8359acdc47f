package web

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
)

var errRoute = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "There is no such page.")

// newOpened counts the pages that were opened, by their patterns: as many as the app has.
func newOpened(meter metric.Meter) (metric.Int64Counter, error) {
	return meter.Int64Counter("serein.gateway.pages.opened", metric.WithUnit("{page}"),
		metric.WithDescription("Pages that were opened by members who have agreed to analytics, by `route`, the pattern of the page in the "+
			"app's list; of nobody else, and nothing else of anybody"))
}

// ReportPage counts a page that was opened, where the member has agreed to that on record. The number is all that is kept: it is
// counted outside of the call, so that no exemplar leads from it to a trace.
func (s *Screens) ReportPage(ctx context.Context, req *webv1.ReportPageRequest) (*webv1.ReportPageResponse, error) {
	if !s.IsRoute(req.GetRoute()) {
		return nil, errRoute.On("route")
	}
	may, err := s.mayCount(ctx)
	if err != nil || !may {
		return &webv1.ReportPageResponse{}, err
	}
	s.opened.Add(context.Background(), 1, metric.WithAttributes(attribute.String("route", req.GetRoute()))) //nolint:contextcheck // see above
	return &webv1.ReportPageResponse{Counted: true}, nil
}

// mayCount says whether the member has agreed to be counted, and their browser does not ask otherwise. Errors: UNAVAILABLE while
// nobody knows.
func (s *Screens) mayCount(ctx context.Context) (bool, error) {
	if asksNotToBeCounted(headerOf(ctx)) {
		return false, nil
	}
	texts, err := s.texts.published(ctx)
	if err != nil {
		return false, err
	}
	user, ok := part(ctx, s, s.View.Users, "whether they may be counted")
	if !ok {
		return false, errs.ErrUnavailable
	}
	return agreedToAnalytics(user, texts.String()), nil
}

// agreedToAnalytics: under the texts as they are now, for those say what is counted.
func agreedToAnalytics(u *identityv1.User, termsVersion string) bool {
	return termsVersion != "" && hasConsented(u, termsVersion) && consents(u.GetConsents()).GetAnalytics()
}

// asksNotToBeCounted: Global Privacy Control (https://www.w3.org/TR/gpc/), and Do Not Track before it.
func asksNotToBeCounted(h http.Header) bool { return h.Get("Sec-GPC") == "1" || h.Get("DNT") == "1" }
