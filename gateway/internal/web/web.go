// Package web answers the React app: one call a screen, joined from the services in parallel.
// Every RPC has its own file; convert.go turns the services' messages into what is shown.
//
// It owns who may call what (the table in rules.go; what is not in it is refused), the words of
// failures, and nothing that would be missed: all state is the services'.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/otelconnect"
	"go.opentelemetry.io/otel/metric"

	"serein.app/gateway/internal/csrf"
	"serein.app/gateway/internal/export"
	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/press"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

const (
	// Heartbeat is how often a silent stream shows that it lives, and that its session does:
	// below the 30 to 60 s after which proxies cut what is quiet.
	Heartbeat = 15 * time.Second
	// compressFrom is the smallest answer worth compressing, in bytes.
	compressFrom = 2 << 10
)

var (
	// callTime bounds a whole unary call.
	callTime = deadline.Of(10 * time.Second)
	// partTime bounds a part of a screen that may be left out: the rest does not wait for it.
	partTime = deadline.Of(time.Second)
)

// Config is what the screens need.
type Config struct {
	Clients  *upstream.Clients
	Sessions *session.Sessions
	Roles    *roles.Roles
	View     *view.View
	// Site is where calls may come from.
	Site csrf.Site
	// IsPage says whether the app has a page at a path.
	IsPage func(path string) bool
	// IsRoute says whether a page of the app has that pattern.
	IsRoute func(pattern string) bool
	// SignIn signs in who confirms in the browser that signed up.
	SignIn *login.Login
	// SignOutURL is where the app goes after a sign-out.
	SignOutURL func(context.Context) string
	// Exports link to copies of everything of a member's.
	Exports *export.Exports
	Limits  Limits
	// Presses lets presses of Generate through.
	Presses press.Gate
	// Debug is the debug sign-in screen.
	Debug     Debug
	Telemetry *telemetry.Telemetry
	// Security hears who was refused; it may be nil.
	Security *seclog.Log
	// Stopping ends streams when the server starts to shut down.
	Stopping  <-chan struct{}
	Heartbeat time.Duration
	Now       func() time.Time
}

// Screens implements the services of serein.web.v1.
type Screens struct {
	Config
	log       *slog.Logger
	catalogue *catalogue
	outside   *outside
	plans     *plans
	shop      shop
	sitemap   sitemap
	texts     *texts
	boots     bootTexts
	opened    metric.Int64Counter
}

var (
	_ webv1connect.SessionServiceHandler    = (*Screens)(nil)
	_ webv1connect.AccountServiceHandler    = (*Screens)(nil)
	_ webv1connect.ConsentServiceHandler    = (*Screens)(nil)
	_ webv1connect.CredentialServiceHandler = (*Screens)(nil)
	_ webv1connect.DeviceServiceHandler     = (*Screens)(nil)
	_ webv1connect.AppServiceHandler        = (*Screens)(nil)
	_ webv1connect.PasskeyServiceHandler    = (*Screens)(nil)
	_ webv1connect.ExportServiceHandler     = (*Screens)(nil)
	_ webv1connect.SecondStepServiceHandler = (*Screens)(nil)
	_ webv1connect.ShopServiceHandler       = (*Screens)(nil)
	_ webv1connect.BasketServiceHandler     = (*Screens)(nil)
	_ webv1connect.OrderServiceHandler      = (*Screens)(nil)
	_ webv1connect.MembershipServiceHandler = (*Screens)(nil)
	_ webv1connect.GeneratorServiceHandler  = (*Screens)(nil)
	_ webv1connect.JourneyServiceHandler    = (*Screens)(nil)
	_ webv1connect.DraftServiceHandler      = (*Screens)(nil)
	_ webv1connect.SharingServiceHandler    = (*Screens)(nil)
	_ webv1connect.PlayerServiceHandler     = (*Screens)(nil)
	_ webv1connect.CoursesServiceHandler    = (*Screens)(nil)
	_ webv1connect.DiaryServiceHandler      = (*Screens)(nil)
	_ webv1connect.StudioServiceHandler     = (*Screens)(nil)
	_ webv1connect.EditorServiceHandler     = (*Screens)(nil)
	_ webv1connect.ContactServiceHandler    = (*Screens)(nil)
	_ webv1connect.ArticlesServiceHandler   = (*Screens)(nil)
	_ webv1connect.PagesServiceHandler      = (*Screens)(nil)
	_ webv1connect.HomeServiceHandler       = (*Screens)(nil)
	_ webv1connect.ItemServiceHandler       = (*Screens)(nil)
	_ webv1connect.LibraryServiceHandler    = (*Screens)(nil)
	_ webv1connect.SearchServiceHandler     = (*Screens)(nil)
	_ webv1connect.UsageServiceHandler      = (*Screens)(nil)
	_ webv1connect.DebugServiceHandler      = (*Screens)(nil)
)

// New makes the screens.
func New(cfg Config) (*Screens, error) {
	opened, err := newOpened(cfg.Telemetry.Metrics.Meter("serein.gateway"))
	return &Screens{
		Config: cfg, log: cfg.Telemetry.Log,
		catalogue: newCatalogue(cfg.Clients.Catalogue, cfg.Telemetry.Log, cfg.Now),
		outside:   newOutside(cfg.Clients.Sample, cfg.Telemetry.Log, cfg.Now),
		plans:     newPlans(cfg.Clients.Plans, cfg.Telemetry.Log, cfg.Now),
		shop:      newShop(cfg.Clients.Shop, cfg.Clients.Prices, cfg.Telemetry.Log, cfg.Now),
		texts:     newTexts(cfg.Clients.Pages, cfg.Telemetry.Log, cfg.Now),
		sitemap:   newSitemap(cfg.Clients.Pages, cfg.Telemetry.Log, cfg.Now),
		boots:     newBootTexts(cfg.Now),
		opened:    opened,
	}, err
}

// Mount adds the RPC routes, each behind the defence against other sites and the body limit.
func (s *Screens) Mount(mux *http.ServeMux) error {
	tracing, err := otelconnect.NewInterceptor(
		otelconnect.WithTracerProvider(s.Telemetry.Tracing), otelconnect.WithMeterProvider(s.Telemetry.Metrics),
	)
	if err != nil {
		return err
	}
	options := connect.WithHandlerOptions(
		connect.WithInterceptors(tracing, &interceptor{screens: s, rules: rules}),
		connect.WithRecover(rpc.Recover(s.log)),
		connect.WithConditionalHandlerOptions(readLimit),
		connect.WithCompressMinBytes(compressFrom),
	)
	add := func(path string, h http.Handler) {
		mux.Handle(path, s.Site.OwnPagesOnly(s.bodies(rpc.WellFormed(withReasons(h), nil)), s.crossSite))
	}
	add(webv1connect.NewSessionServiceHandler(s, options))
	add(webv1connect.NewAccountServiceHandler(s, options))
	add(webv1connect.NewConsentServiceHandler(s, options))
	add(webv1connect.NewDeletionServiceHandler(s, options))
	add(webv1connect.NewCredentialServiceHandler(s, options))
	add(webv1connect.NewDeviceServiceHandler(s, options))
	add(webv1connect.NewAppServiceHandler(s, options))
	add(webv1connect.NewPasskeyServiceHandler(s, options))
	add(webv1connect.NewExportServiceHandler(s, options))
	add(webv1connect.NewSecondStepServiceHandler(s, options))
	add(webv1connect.NewShopServiceHandler(s, options))
	add(webv1connect.NewBasketServiceHandler(s, options))
	add(webv1connect.NewOrderServiceHandler(s, options))
	add(webv1connect.NewMembershipServiceHandler(s, options))
	add(webv1connect.NewGeneratorServiceHandler(s, options))
	add(webv1connect.NewJourneyServiceHandler(s, options))
	add(webv1connect.NewDraftServiceHandler(s, options))
	add(webv1connect.NewSharingServiceHandler(s, options))
	add(webv1connect.NewPlayerServiceHandler(s, options))
	add(webv1connect.NewCoursesServiceHandler(s, options))
	add(webv1connect.NewDiaryServiceHandler(s, options))
	add(webv1connect.NewStudioServiceHandler(s, options))
	add(webv1connect.NewEditorServiceHandler(s, options))
	add(webv1connect.NewContactServiceHandler(s, options))
	add(webv1connect.NewArticlesServiceHandler(s, options))
	add(webv1connect.NewPagesServiceHandler(s, options))
	add(webv1connect.NewHomeServiceHandler(s, options))
	add(webv1connect.NewItemServiceHandler(s, options))
	add(webv1connect.NewLibraryServiceHandler(s, options))
	add(webv1connect.NewSearchServiceHandler(s, options))
	add(webv1connect.NewUsageServiceHandler(s, options))
	add(webv1connect.NewDebugServiceHandler(s, options))
	return nil
}

// crossSite records a call that another site made. A path that is no procedure is any text and is left out.
func (s *Screens) crossSite(r *http.Request, err error) {
	event := seclog.Event{Address: guard.Address(r.Context())}
	if _, ok := rules[r.URL.Path]; ok {
		event.Procedure = r.URL.Path
	}
	s.Security.Refused(r.Context(), err, event)
}
